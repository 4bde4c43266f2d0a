/**
 * Makes an element. Text only ever becomes text: nothing from a trace can become markup.
 * @param {string} name of the tag
 * @param {object} properties set on it
 * @param {(string|Node|Array<string|Node>)} children appended
 */
export function element(name, properties = {}, children = []) {
  const made = document.createElement(name);
  Object.assign(made, properties);
  made.append(...[children].flat());
  return made;
}
