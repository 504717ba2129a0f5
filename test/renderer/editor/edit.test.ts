import { expect, it, vi } from 'vitest';
import { Edit } from '#renderer/editor/edit.ts';
import { nextId, UNCHANGED, withMark } from '#renderer/editor/marks/drawing.ts';
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
