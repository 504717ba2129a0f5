import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Edit, useHistory } from '#renderer/editor/edit.ts';
import { copiedMark, copyMark } from '#renderer/editor/marks/clipboard.ts';
import { type Ratio, ratioOf, roundedCrop, withRatio } from '#renderer/editor/marks/crop.ts';
import {
  cropped,
  type Drawing,
  findMark,
  markAfter,
  nextId,
  remaining,
  turned,
  withMark,
  withoutMark,
} from '#renderer/editor/marks/drawing.ts';
import type { Frame } from '#renderer/editor/marks/frame.ts';
import type { Cropping, Drawn } from '#renderer/editor/marks/gestures.ts';
import { moveCropByStep, moveMarkByStep, resizeCropByStep, resizeMarkByStep } from '#renderer/editor/marks/keyboard-transform.ts';
import { boundsOf, isInvisiblySmall, moveMark, wholeMark } from '#renderer/editor/marks/marks.ts';
import { measureText } from '#renderer/editor/picture/render.ts';
import { type Remembered, readRemembered, remember } from '#renderer/editor/remembered.ts';
import { FIRST_STYLE, type Style } from '#renderer/editor/tools/tool.ts';
import { isMarkKind, isWriting, type Mark, type MarkKind, restyled, type Tool, toolOf } from '#renderer/editor/tools/tools.ts';
import { type Point, type Rect, type Size, wholeRect } from './geometry.ts';

type Writing = Extract<Mark, { text: string }>;

/** The shortest side of a new mark, in pixels of the picture: less is a click. */
const MIN_MARK = 4;

export type Editor = ReturnType<typeof useEditor>;

/** The tools as they are used on the edit of a picture of this size, and everything that changes it. */
export function useEditor(edit: Edit, size: Size) {
  const history = useHistory(edit);
  const [tool, setTool] = useState<Tool>('select');
  const [selected, setSelected] = useState<number>();
  const [remembered, setRemembered] = useState(readRemembered);
  const { styles } = remembered;
  const [cropping, setCropping] = useState<Cropping>();
  const [draft, setDraft] = useState<Drawn>();
  const [writing, setWriting] = useState<Writing>();
  const [copied, setCopied] = useState(copiedMark);
  const { present } = history;
  const change = useCallback(
    (next: (drawing: Drawing) => Drawing, step?: string) => edit.dispatch({ type: 'change', change: next, step }),
    [edit],
  );
  const content = useMemo(() => remaining(present, size), [present, size]);
  const shown = { turns: present.turns, size, content };
  const sideways = present.turns % 2 === 1;

  // What isn't a step yet belongs to the edit, too: it would be saved.
  const pending = useMemo(() => {
    if (cropping) return withCrop(present, cropping.rect, size);
    if (writing) return writing.text.trim() === '' ? withoutMark(present, writing.id) : withMark(present, writing);
    return undefined;
  }, [present, cropping, writing, size]);
  useEffect(() => edit.setPending(pending), [edit, pending]);
  const commitCrop = () => {
    if (cropping) change((drawing) => withCrop(drawing, cropping.rect, size));
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
    change((drawing) => withMark(drawing, mark), step);
    setSelected(mark.id);
  };
  const remove = (id: number) => {
    change((drawing) => withoutMark(drawing, id));
    setSelected(undefined);
  };
  const chosen = findMark(present, selected);
  const keep = (next: Remembered) => {
    setRemembered(next);
    remember(next);
  };
  const style = isMarkKind(tool) ? styles[tool] : FIRST_STYLE;
  /** Begins to write the text of a mark. */
  const write = (mark: Writing) => {
    setDraft(undefined);
    setSelected(undefined);
    setWriting(mark);
  };
  /** Adds a copy of a mark, beside it. Returns the copy. */
  const pasteMark = (mark: Mark): Mark => {
    const { width, height } = boundsOf(mark);
    const step = Math.round(Math.max(8, Math.min(width, height, content.width / 20)));
    const copy = wholeMark(moveMark({ ...mark, id: nextId(present) }, { x: step, y: step }, content), size);
    setTool('select');
    commit(copy);
    return copy;
  };
  const coverMark = (kind: MarkKind, id: number, { x, y, width, height }: Rect): Mark => {
    const [from, to] = [
      { x, y },
      { x: x + width, y: y + height },
    ];
    return wholeMark(toolOf(kind).draw({ id, from, to, trail: [from, to], style: styles[kind], content, turns: present.turns }), size);
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
    styles,
    cropping,
    writing,
    content,
    copied,
    /** What the mark that is being dragged is aligned with. */
    guides: draft?.guides ?? [],
    /** The drawing as it is shown. */
    drawing: draft ? withMark(present, draft.mark) : writing ? withoutMark(present, writing.id) : present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    choose,
    commit,
    /** Adds what was drawn with the pointer. It is selected, unless the next stroke would begin on its handles. */
    addDrawn(mark: Mark) {
      commit(mark);
      if (toolOf(mark.kind).isFreehand) setSelected(undefined);
    },
    remove,
    setDraft,
    select: setSelected,
    undo() {
      setDraft(undefined);
      edit.dispatch({ type: 'undo' });
    },
    redo: () => edit.dispatch({ type: 'redo' }),
    turn: (by: 1 | -1) => change((drawing) => turned(drawing, by)),
    /** Changes the look of the selected mark, and of those that its tool will draw. */
    restyle(part: Partial<Style>) {
      const kind = (writing ?? chosen)?.kind ?? tool;
      if (isMarkKind(kind)) {
        keep({ ...remembered, styles: { ...styles, [kind]: { ...styles[kind], ...part } } });
      }
      if (writing) setWriting(measured(restyled(writing, part, content), content));
      else if (chosen) change((drawing) => withMark(drawing, measured(restyled(chosen, part, content), content)));
    },

    frame: present.frame,
    /** Puts the frame that was last used around the picture, or takes it away. */
    toggleFrame: (isOn: boolean) => change((drawing) => ({ ...drawing, frame: isOn ? remembered.frame : null })),
    changeFrame(part: Partial<Frame>) {
      const frame = { ...(present.frame ?? remembered.frame), ...part };
      change((drawing) => ({ ...drawing, frame }));
      keep({ ...remembered, frame });
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
    setText: (text: string) => setWriting((before) => before && measured({ ...before, text }, content)),
    /** Ends writing, and lets go of the text and its tool. */
    finishWriting() {
      finishWriting();
      setTool('select');
      setSelected(undefined);
    },

    /** Covers parts of the picture, in one step, with the tool that is chosen if it covers. */
    cover(rects: readonly Rect[]) {
      const kind = isMarkKind(tool) && toolOf(tool).isCover ? tool : 'cover';
      change((drawing) => rects.reduce((covered, rect) => withMark(covered, coverMark(kind, nextId(covered), rect)), drawing));
      setSelected(undefined);
    },
    /** Adds what the tool draws to the middle of the picture, for those who use the keyboard. */
    add() {
      if (isMarkKind(tool)) {
        const { from, to } = middleOf(content);
        const mark = toolOf(tool).draw({ id: nextId(present), from, to, trail: [from, to], style, content, turns: present.turns });
        if (isWriting(mark)) write(mark);
        else commit(mark);
      } else if (chosen && isWriting(chosen)) write(chosen);
    },
    copy() {
      if (!chosen) return;
      copyMark(chosen);
      setCopied(chosen);
    },
    /** Pastes the copied mark, each time further from the first. */
    paste() {
      const mark = copiedMark();
      if (!mark) return;
      const copy = pasteMark(mark);
      copyMark(copy);
      setCopied(copy);
    },
    duplicate: () => chosen && pasteMark(chosen),
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

/** Two corners of the middle of a picture, for marks that are added without a pointer. */
function middleOf({ x, y, width, height }: Rect): { from: Point; to: Point } {
  return { from: { x: x + width * 0.35, y: y + height * 0.4 }, to: { x: x + width * 0.65, y: y + height * 0.6 } };
}

/** The drawing with a crop; the same one if it has that crop. */
function withCrop(drawing: Drawing, rect: Rect, size: Size): Drawing {
  const next = cropped(drawing, roundedCrop(rect, size), size);
  return JSON.stringify(next.crop) === JSON.stringify(drawing.crop) ? drawing : next;
}

/** A mark with the size of its text, and in the place that this leaves it. */
function measured<M extends Mark>(mark: M, content: Rect): M {
  if (!isWriting(mark)) return mark;
  const { wrapAt, within } = toolOf(mark.kind);
  const wrap = wrapAt?.(mark, content);
  const wrapped = wrap === undefined ? mark : { ...mark, wrap };
  const sized = { ...wrapped, ...measureText(wrapped.text, wrapped) };
  return (within?.(sized, content) as M | undefined) ?? sized;
}
