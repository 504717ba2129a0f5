import { expect, it } from 'vitest';
import { parseRemembered } from '#renderer/editor/remembered.ts';

it('remembers the look of each tool, and nothing that this release doesn’t know', () => {
  const first = parseRemembered(null);
  expect(first.styles.highlighter.colour).toBe('#ffd43b');
  expect(first.styles.cover.colour).toBe('#141a1c');
  const stored = {
    frame: { padding: 'large', background: 'constructor', corners: 3, shadow: false },
    styles: { pen: { colour: '#1c7ed6', weight: 'thick' }, box: { colour: 'red', weight: 'toString', filled: true }, gone: {} },
  };
  expect(parseRemembered(JSON.stringify(stored)).frame).toEqual({ ...first.frame, padding: 'large', shadow: false });
  expect(parseRemembered(JSON.stringify(stored)).styles).toEqual({
    ...first.styles,
    pen: { colour: '#1c7ed6', weight: 'thick', filled: false },
  });
  for (const text of ['', '{', 'null', '[]', '{"styles":7}']) expect(parseRemembered(text)).toEqual(first);
});
