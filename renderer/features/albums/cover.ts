const WIDTH = 480;

/** A cover's address on the page's own origin, wide enough for a card. Absolute links are for other people. */
export function onThisOrigin(address: string): string {
  return `${new URL(address, location.origin).pathname}?w=${WIDTH}`;
}
