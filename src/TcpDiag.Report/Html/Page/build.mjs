// Bundles the page's script and style into one file each: node build.mjs FOLDER
import { build } from "esbuild";
import { readFile } from "node:fs/promises";

const folder = process.argv[2];
if (!folder) {
  throw new Error("usage: node build.mjs FOLDER");
}

// uPlot's licence asks to stand in every copy.
const licence = (await readFile("node_modules/uplot/LICENSE", "utf8")).trim();

await build({
  entryPoints: { report: "src/main.js", style: "src/page.css" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome103", "firefox113", "safari16.4"],
  charset: "ascii",
  legalComments: "none",
  banner: { js: `/*!\nCharts: uPlot\n${licence}\n*/` },
  logLevel: "warning",
});
