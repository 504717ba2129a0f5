import Sqlite from 'better-sqlite3';

interface Compilable {
  compile(): { readonly sql: string; readonly parameters: readonly unknown[] };
}

/** Runs queries on the file of a database and counts the rows of a table that SQLite reads for them, however it goes about it. */
export function countRowsRead(path: string, table: 'images' | 'image_tags', ...queries: Compilable[]): { returned: number; read: number } {
  const file = new Sqlite(path, { readonly: true });
  let read = 0;
  file.function('count_read', (_id) => {
    read++;
    return 1;
  });
  // Hides the table: its condition comes before those of a query, so it counts each row that no index has excluded.
  file.exec(`create temp view ${table} as select * from main.${table} where count_read(owner_id)`);
  const returned = queries.flatMap((query) => {
    const { sql, parameters } = query.compile();
    return file.prepare(sql).all(...parameters);
  }).length;
  file.close();
  return { returned, read };
}
