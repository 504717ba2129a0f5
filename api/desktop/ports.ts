/** TCP ports that need no administrator. A file without schemas, for the web application. */
export const PORTS = { min: 1024, max: 65_535 } as const;
