/** The items of a list that a column stores as JSON. */
export const readList = <Item>(stored: string): Item[] => JSON.parse(stored);

/** A list as a column stores it: JSON, each item once. */
export const storeList = (items: readonly unknown[]): string => JSON.stringify([...new Set(items)]);
