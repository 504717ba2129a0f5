/** A number with its noun: “1 row”, “2,000 rows”. */
export const several = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
