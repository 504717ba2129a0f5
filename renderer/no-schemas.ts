/** What would answer something if there were schemas: here it is a mistake. */
const ANSWERS = new Set<PropertyKey>(['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'options']);

const schema: unknown = new Proxy(() => undefined, {
  get(_target, name) {
    if (ANSWERS.has(name)) throw new Error(`The web application has no schemas: ${String(name)} is for the service.`);
    return schema;
  },
  apply: () => schema,
});

/**
 * Stands in the place of zod in the build of the web application. The contract's routes are declared with their schemas, but the page
 * needs their method and path alone: the service checks what it is sent, and is trusted in what it answers.
 */
export const z = schema;
