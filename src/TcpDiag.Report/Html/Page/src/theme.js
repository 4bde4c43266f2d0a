/** Light or dark: as the system is set until the reader chooses; print is always light. */

const DARK = matchMedia("(prefers-color-scheme: dark)");

/**
 * @param {HTMLButtonElement} button changes the theme
 * @param {() => void} onChange told when colours have changed
 */
export function startTheme(button, onChange) {
  let chosen = null;
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.setAttribute("aria-pressed", String(theme === "dark"));
    onChange();
  };
  const current = () => chosen ?? (DARK.matches ? "dark" : "light");
  button.addEventListener("click", () => {
    chosen = current() === "dark" ? "light" : "dark";
    apply(chosen);
  });
  DARK.addEventListener("change", () => apply(current()));
  addEventListener("beforeprint", () => apply("light"));
  addEventListener("afterprint", () => apply(current()));
  apply(current());
}
