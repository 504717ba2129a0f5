import { setImmediate } from 'node:timers/promises';

/** Characters of text after which other requests get their turn. */
const AT_ONCE = 50_000;

/** Goes through items with texts of `lengthOf` characters, which are searched or compared, without keeping other requests waiting. */
export async function* inTurns<Item>(items: Iterable<Item>, lengthOf: (item: Item) => number): AsyncGenerator<Item> {
  let characters = 0;
  for (const item of items) {
    yield item;
    characters += lengthOf(item);
    if (characters < AT_ONCE) continue;
    characters = 0;
    await setImmediate();
  }
}
