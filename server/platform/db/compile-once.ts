import type { Compilable, CompiledQuery, DialectAdapter, QueryResult } from 'kysely';
import type { Queries } from './database.ts';

/** Stands for a value while its query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled the first time and afterwards only run, with other values: building one takes as long as running it
 * (decision 096).
 * @param build gets placeholders instead of the values, which it may only pass on to the query. It runs once for every combination of keys.
 * A condition never matches null: Kysely writes `is null` only where it sees one.
 * @throws TypeError for an undefined value, which Kysely would leave out
 */
export function compileOnce<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Compilable<Row>,
): (queries: Queries, values: Values) => Promise<QueryResult<Row>> {
  const ofEngines = new WeakMap<DialectAdapter, Map<string, CompiledQuery<Row>>>();
  return (queries, values) => {
    const { adapter } = queries.getExecutor();
    const names = Object.keys(values);
    const known = ofEngines.get(adapter) ?? new Map<string, CompiledQuery<Row>>();
    ofEngines.set(adapter, known);
    const combination = names.join();
    let query = known.get(combination);
    if (!query) {
      const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      query = build(queries, placeholders as Values).compile();
      known.set(combination, query);
    }
    const resolve = (parameter: unknown) => {
      if (!(parameter instanceof Placeholder)) return parameter;
      const value = (values as Record<string, unknown>)[parameter.name];
      if (value === undefined) throw new TypeError(`The value of ${parameter.name} is undefined.`);
      return value;
    };
    return queries.executeQuery({ ...query, parameters: query.parameters.map(resolve) });
  };
}
