export interface OldAddress {
  old: string;
  now: string;
}

/** The rows of a CSV file (RFC 4180) with two columns, without their heading. */
export function readMap(text: string): OldAddress[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  for (const [, quoted, plain = '', end] of text.replace(/^\ufeff/, '').matchAll(cells)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  // An address has a slash; a heading has none.
  return rows.filter(([old = '']) => old.includes('/')).map(([old = '', now = '']) => ({ old, now }));
}
