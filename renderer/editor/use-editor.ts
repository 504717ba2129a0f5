import { useCallback, useMemo, useReducer, useRef, useState } from 'react';
import { type Ratio, ratioOf, roundedCrop, withRatio } from '#renderer/editor/marks/crop.ts';
import {
  cropped,
  type Drawing,
  findMark,
  isUnchanged,
  type Mark,
  markAfter,
  remaining,
  type TextMark,
  turned,
  withMark,
  withoutMark,
} from '#renderer/editor/marks/drawing.ts';
import { type Cropping, wholeMark } from '#renderer/editor/marks/gestures.ts';
import { EMPTY_HISTORY, historyReducer } from '#renderer/editor/marks/history.ts';
import { moveCropByStep, moveMarkByStep, resizeCropByStep, resizeMarkByStep } from '#renderer/editor/marks/keyboard-transform.ts';
import { isInvisiblySmall } from '#renderer/editor/marks/marks.ts';
import { measureText } from '#renderer/editor/picture/render.ts';
import { centreOf, type Point, type Rect, type Size, wholeRect } from '#renderer/editor/stage/geometry.ts';
import { dragged, FIRST_STYLE, isDragTool, middleOf, newText, restyled, type Style, type Tool } from './tools.ts';

/** The shortest side of a new mark, in pixels of the picture: less is a click. */
const MIN_MARK = 4;

export type Editor = ReturnType<typeof useEditor>;

/** The state of the editor for a picture of this size, and everything that changes it. */
export function useEditor(size: Size) {
  const [history, dispatch] = useReducer(historyReducer, EMPTY_HISTORY);
  const [tool, setTool] = useState<Tool>('select');
  const [selected, setSelected] = useState<number>();
  const [style, setStyle] = useState<Style>(FIRST_STYLE);
  const [cropping, setCropping] = useState<Cropping>();
  const [draft, setDraft] = useState<Mark>();
  const [writing, setWriting] = useState<TextMark>();
  const ids = useRef(1);
  const { present } = history;
  const change = useCallback((next: (drawing: Drawing) => Drawing, step?: string) => dispatch({ type: 'change', change: next, step }), []);
  const content = useMemo(() => remaining(present, size), [present, size]);
  const shown = { turns: present.turns, size, content };
  const sideways = present.turns % 2 === 1;

  /** The drawing with the crop that is being chosen. */
  const drawingToSave = useMemo(
    () => (cropping ? cropped(present, roundedCrop(cropping.rect, size), size) : present),
    [present, cropping, size],
  );
  const commitCrop = () => {
    if (drawingToSave.crop?.x !== present.crop?.x || JSON.stringify(drawingToSave.crop) !== JSON.stringify(present.crop))
      change(() => drawingToSave);
    setCropping(undefined);
  };
  const choose = (next: Tool) => {
    if (cropping) commitCrop();
    setTool(next);
    if (next === 'crop') setCropping({ rect: content, ratio: 'free', upright: false });
    if (next !== 'select') setSelected(undefined);
  };
  const commit = (mark: Mark, step?: string) => {
    setDraft(undefined);
    const known = findMark(present, mark.id);
    if (!known && isInvisiblySmall(mark, MIN_MARK)) return;
    ids.current = Math.max(ids.current, mark.id + 1);
    change((drawing) => withMark(drawing, mark), step);
    setSelected(mark.id);
  };
  const remove = (id: number) => {
    change((drawing) => withoutMark(drawing, id));
    setSelected(undefined);
  };
  const chosen = findMark(present, selected);
  /** Begins to write a new text, or to change one. */
  const write = (mark: TextMark | undefined, at: Point = centreOf(content)) => {
    setSelected(undefined);
    setWriting(mark ?? newText(ids.current, at, present.turns, style, content));
  };
  /** Ends writing. An empty text is removed. */
  const finishWriting = () => {
    if (!writing) return;
    setWriting(undefined);
    const known = findMark(present, writing.id);
    if (writing.text.trim() === '') {
      if (known) remove(writing.id);
    } else if (known !== writing) commit(writing);
    else setSelected(writing.id);
  };

  return {
    size,
    tool,
    selected,
    chosen,
    style,
    cropping,
    writing,
    content,
    /** The drawing as it is shown. */
    drawing: draft ? withMark(present, draft) : writing ? withoutMark(present, writing.id) : present,
    /** The drawing as it would be saved. */
    drawingToSave,
    changed: !isUnchanged(drawingToSave) || (writing?.text.trim() ?? '') !== '',
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    nextId: ids.current,
    choose,
    commit,
    remove,
    setDraft,
    select: setSelected,
    undo() {
      setDraft(undefined);
      dispatch({ type: 'undo' });
    },
    redo: () => dispatch({ type: 'redo' }),
    turn: (by: 1 | -1) => change((drawing) => turned(drawing, by)),
    restyle(part: Partial<Style>) {
      setStyle((before) => ({ ...before, ...part }));
      if (writing) setWriting(measured(restyled(writing, part, content) as TextMark));
      else if (chosen) change((drawing) => withMark(drawing, measured(restyled(chosen, part, content))));
    },

    setCrop: (rect: Rect) => setCropping((before) => before && { ...before, rect }),
    shapeCrop(ratio: Ratio, upright: boolean) {
      const rect = cropping && withRatio(ratio === 'free' ? cropping.rect : wholeRect(size), ratioOf(ratio, size, { upright, sideways }));
      if (rect) setCropping({ rect, ratio, upright });
    },
    resetCrop: () => setCropping((before) => before && { ...before, rect: wholeRect(size), ratio: 'free' }),
    applyCrop: () => choose('select'),
    cancelCrop() {
      setCropping(undefined);
      setTool('select');
    },

    write,
    setText: (text: string) => setWriting((before) => before && measured({ ...before, text })),
    finishWriting,
    /** The same, and lets go of the text and its tool. */
    leaveWriting() {
      finishWriting();
      setTool('select');
      setSelected(undefined);
    },

    /** Adds what the tool draws to the middle of the picture, for those who use the keyboard. */
    add() {
      if (isDragTool(tool)) commit(dragged(tool, { id: ids.current, ...middleOf(content), style, content }));
      else if (tool === 'text') write(undefined);
      else if (chosen?.kind === 'text') write(chosen);
    },
    selectNext: () => setSelected(markAfter(present, selected)?.id),
    /** Moves or resizes the selected mark, or the crop, by pixels of the picture, as seen. */
    transformByStep(step: Point, resizes: boolean) {
      if (cropping) {
        const ratio = ratioOf(cropping.ratio, size, { upright: cropping.upright, sideways });
        const rect = resizes ? resizeCropByStep(cropping.rect, step, ratio, shown) : moveCropByStep(cropping.rect, step, shown);
        setCropping({ ...cropping, rect });
      } else if (chosen)
        commit(wholeMark((resizes ? resizeMarkByStep : moveMarkByStep)(chosen, step, shown), size), `transform ${chosen.id}`);
    },
  };
}

function measured<M extends Mark>(mark: M): M {
  return mark.kind === 'text' ? { ...mark, ...measureText(mark.text, mark) } : mark;
}
