/** An SVG with the given elements, 200 × 100 by default. */
export function svg(inside = '<rect width="100" height="100" fill="#d02020"/>', attributes = 'width="200" height="100"'): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`);
}

/** Nested pairs of references, `levels` deep, that expand into 2ⁿ elements. */
export function usesOfUses(levels: number): string {
  const level = (_: unknown, index: number) => `<g id="u${index + 1}"><use href="#u${index}"/><use href="#u${index}"/></g>`;
  return `<g id="u0"><rect width="9" height="9"/></g>${Array.from({ length: levels }, level).join('')}`;
}

/** The billion laughs: entities of entities. */
export const BILLION_LAUGHS = Buffer.from(
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('')}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&l9;</text></svg>`,
);
