import { type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { fromScreen, type Point, unturnPoint } from '#renderer/editor/geometry.ts';
import {
  beginGesture,
  cropOf,
  drawnBy,
  type Gesture,
  grabbedHandle,
  isWhole,
  passing,
  type Situation,
} from '#renderer/editor/marks/gestures.ts';
import { hitTestHandles, isEnd, rectTransformHandles } from '#renderer/editor/marks/marks.ts';
import { isWriting } from '#renderer/editor/tools/tools.ts';
import type { Editor } from '#renderer/editor/use-editor.ts';
import type { ShownView } from './use-view.ts';

/** How close to a handle counts as a hit, in CSS pixels. */
const HIT_THRESHOLDS = { mouse: 10, touch: 22 } as const;
/** The radius of a handle with its outline, in CSS pixels. */
const HANDLE_RADIUS = 7;
/** How close is aligned, in CSS pixels. */
const SNAP_THRESHOLD = 6;
/** The shortest step that a freehand line keeps, in CSS pixels. */
const MIN_STEP = 2;
/** The shortest edge that has a handle, in CSS pixels. */
export const MIN_EDGE = 44;
const WHEEL_STEP = 0.0022;

interface Pressed {
  gesture: Gesture;
  /** Where the pointer was last, on the screen. */
  last: Point;
}

/** The pointer events of the stage: draws, moves and resizes; two fingers or the wheel zoom. */
export function usePointer(stage: RefObject<HTMLElement | null>, editor: Editor, shown: ShownView) {
  const fingers = useRef(new Map<number, Point>());
  const pressed = useRef<Pressed>(undefined);
  const { drawing, size } = editor;

  const onScreen = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = stage.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left, y: clientY - top };
  };
  const toPicture = (point: Point) => unturnPoint(fromScreen(point, shown.view), drawing.turns, size);
  const situation = (event: PointerEvent): Situation => ({
    ...editor,
    hitThreshold: (event.pointerType === 'mouse' ? HIT_THRESHOLDS.mouse : HIT_THRESHOLDS.touch) / shown.view.scale,
    handleRadius: HANDLE_RADIUS / shown.view.scale,
    // Held Ctrl or ⌘ aligns nothing.
    snapThreshold: event.ctrlKey || event.metaKey ? 0 : SNAP_THRESHOLD / shown.view.scale,
    minEdge: MIN_EDGE / shown.view.scale,
    isConstrained: event.shiftKey,
  });
  useWheel(stage, (event) => shown.zoom(Math.exp(-event.deltaY * WHEEL_STEP), onScreen(event)));

  /** Two fingers zoom and move the view. */
  const pinch = (event: PointerEvent, to: Point) => {
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    const from = fingers.current.get(event.pointerId);
    if (!other || !from) return;
    const [before, after] = [Math.hypot(from.x - other.x, from.y - other.y), Math.hypot(to.x - other.x, to.y - other.y)];
    shown.zoom(after / Math.max(1, before), other);
  };
  const end = (event: PointerEvent) => {
    fingers.current.delete(event.pointerId);
    const gesture = pressed.current?.gesture;
    pressed.current = undefined;
    return gesture;
  };

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A press beside a text that is being written only ends that.
      if (event.button > 1 || editor.writing) return;
      const at = onScreen(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      fingers.current.set(event.pointerId, at);
      if (fingers.current.size > 1) {
        pressed.current = undefined;
        editor.setDraft(undefined);
        return;
      }
      const gesture = event.button === 1 ? ({ type: 'pan' } as const) : beginGesture(toPicture(at), situation(event));
      pressed.current = { gesture, last: at };
      if (gesture.type === 'move' || gesture.type === 'resize') editor.select(gesture.mark.id);
      else if (gesture.type === 'draw' || (gesture.type === 'pan' && event.button === 0)) editor.select(undefined);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const at = onScreen(event);
      if (fingers.current.size > 1) {
        pinch(event, at);
        fingers.current.set(event.pointerId, at);
        return;
      }
      const { current } = pressed;
      if (!current) {
        event.currentTarget.style.cursor = cursorAt(at, editor, shown);
        return;
      }
      fingers.current.set(event.pointerId, at);
      if (current.gesture.type === 'pan') shown.move({ x: at.x - current.last.x, y: at.y - current.last.y });
      current.last = at;
      const now = situation(event);
      // Between two events that the page sees, the pointer has passed more places.
      for (const passed of event.nativeEvent.getCoalescedEvents?.() ?? [event])
        current.gesture = passing(current.gesture, toPicture(onScreen(passed)), MIN_STEP / shown.view.scale, now);
      const drawn = drawnBy(current.gesture, toPicture(at), now);
      if (drawn) editor.setDraft(drawn);
      const crop = cropOf(current.gesture, toPicture(at), now);
      if (crop) editor.setCrop(crop);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const { current } = pressed;
      const gesture = end(event);
      if (!gesture || !current) return;
      if (gesture.type === 'write' && isWriting(gesture.mark)) editor.write(gesture.mark);
      const mark = drawnBy(gesture, toPicture(onScreen(event)), situation(event))?.mark;
      // A click selects without changing anything.
      const before = gesture.type === 'move' || gesture.type === 'resize' ? gesture.mark : undefined;
      if (mark && gesture.type === 'draw' && isWriting(mark)) editor.write(mark);
      else if (mark && gesture.type === 'draw') editor.addDrawn(mark);
      else if (mark && JSON.stringify(mark) !== JSON.stringify(before)) editor.commit(mark);
      else editor.setDraft(undefined);
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      end(event);
      editor.setDraft(undefined);
    },
    onDoubleClick() {
      if (editor.tool === 'select' && editor.chosen && isWriting(editor.chosen)) editor.write(editor.chosen);
    },
  };
}

/** Wheel events that are listened to directly: React's can't keep the page from zooming. */
function useWheel(stage: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void) {
  const latest = useRef(onWheel);
  latest.current = onWheel;
  useEffect(() => {
    const element = stage.current;
    const listen = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(event);
    };
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [stage]);
}

/** What a press at a place of the screen would do, as a cursor. */
function cursorAt(at: Point, { drawing, size, cropping, chosen, tool }: Editor, { view }: ShownView): string {
  const minEdge = MIN_EDGE / view.scale;
  const point = unturnPoint(fromScreen(at, view), drawing.turns, size);
  const hitThreshold = HIT_THRESHOLDS.mouse / view.scale;
  const handle = cropping
    ? hitTestHandles(rectTransformHandles(cropping.rect, minEdge), point, hitThreshold)
    : chosen && grabbedHandle(chosen, point, { tool, hitThreshold, handleRadius: HANDLE_RADIUS / view.scale, minEdge });
  if (handle && isEnd(handle)) return 'grab';
  if (handle) {
    const sideways = drawing.turns % 2 === 1;
    if (handle.length === 1) return /[ns]/.test(handle) === sideways ? 'ew-resize' : 'ns-resize';
    return (handle === 'nw' || handle === 'se') === sideways ? 'nesw-resize' : 'nwse-resize';
  }
  if (cropping) return isWhole(cropping.rect, size) ? 'crosshair' : 'move';
  if (tool === 'text') return 'text';
  return tool === 'select' ? 'default' : 'crosshair';
}
