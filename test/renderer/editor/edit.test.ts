import { expect, it, vi } from 'vitest';
import { Edit } from '#renderer/editor/edit.ts';
import { nextId, UNCHANGED, withMark } from '#renderer/editor/marks/drawing.ts';
import { parseRemembered } from '#renderer/editor/remembered.ts';
import type { BoxMark } from '#renderer/editor/tools/box.ts';

const box: BoxMark = { id: 3, kind: 'box', x: 0, y: 0, width: 10, height: 10, colour: '#e5342b', line: 2, filled: false };

it('reports each change, once, and nothing that changes nothing', () => {
  const edit = new Edit();
  const listener = vi.fn();
  const end = edit.subscribe(listener);
  edit.dispatch({ type: 'undo' });
  expect(listener).toHaveBeenCalledTimes(0);
  edit.dispatch({ type: 'change', change: (drawing) => withMark(drawing, box) });
  expect(edit.drawing.marks).toEqual([box]);
  const pending = withMark(edit.drawing, { ...box, x: 5 });
  edit.setPending(pending);
  edit.setPending(pending);
  expect(listener).toHaveBeenCalledTimes(2);
  expect(edit.drawing).toBe(pending);
  edit.setPending(undefined);
  end();
  edit.dispatch({ type: 'undo' });
  expect(listener).toHaveBeenCalledTimes(3);
  expect(edit.drawing).toBe(UNCHANGED);
});

it('continues from a drawing that was kept as text', () => {
  const edit = new Edit(JSON.parse(JSON.stringify(withMark(UNCHANGED, box))));
  expect(edit.drawing).toEqual(withMark(UNCHANGED, box));
  expect(nextId(edit.drawing)).toBe(4);
  edit.dispatch({ type: 'undo' });
  expect(edit.drawing.marks).toEqual([box]);
});

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
