import { type RefObject, useEffect, useRef, useState } from 'react';
import { ACTION_CLOSE, useEvents, type ZoomRef } from 'yet-another-react-lightbox';
import { isTouch } from '#renderer/platform/touch.ts';

/** Two presses within this time and distance are a double one. */
const DOUBLE_MS = 400;
const DOUBLE_PX = 24;
/** How far a double press zooms in: enough to see a difference, up to a pixel of the image per pixel of the screen. */
const MIN_STEP = 2;

/**
 * What the lightbox lacks: a double click or double tap zooms in, and back out again wherever the zoom is; the wheel moves the image as far
 * as it would scroll a page; on a touch screen, a swipe down closes the viewer.
 */
export function useStageGestures(stage: RefObject<HTMLElement | null>, onClose: (() => void) | undefined) {
  const zoom = useRef<ZoomRef>(null);
  useDoublePress(stage, zoom);
  useWheel(stage, zoom);
  const [touch] = useState(isTouch);
  const pulls = touch && onClose !== undefined;
  return {
    // Its own double click zooms in further each time.
    zoom: { ref: zoom, doubleClickDelay: -1, doubleTapDelay: -1 },
    controller: pulls ? ({ closeOnPullDown: true, touchAction: 'none' } as const) : {},
    render: { controls: () => (pulls ? <PullToClose onClose={onClose} /> : null) },
  };
}

/** The lightbox moves a zoomed image by the turn of the wheel times the zoom. */
function useWheel(stage: RefObject<HTMLElement | null>, zoom: RefObject<ZoomRef | null>) {
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      const scale = zoom.current?.zoom ?? 1;
      if (!event.isTrusted || event.ctrlKey || scale <= 1) return;
      event.preventDefault();
      event.stopPropagation();
      const { deltaX, deltaY, clientX, clientY } = event;
      const scaled = { deltaX: deltaX / scale, deltaY: deltaY / scale, clientX, clientY, bubbles: true, cancelable: true };
      event.target?.dispatchEvent(new WheelEvent('wheel', scaled));
    };
    element?.addEventListener('wheel', onWheel, { capture: true, passive: false });
    return () => element?.removeEventListener('wheel', onWheel, { capture: true });
  }, [stage, zoom]);
}

/** The inline lightbox ignores its own request to close. */
function PullToClose({ onClose }: { onClose: () => void }) {
  const { subscribe } = useEvents();
  useEffect(() => subscribe(ACTION_CLOSE, onClose), [subscribe, onClose]);
  return null;
}

interface Press {
  at: number;
  x: number;
  y: number;
}

const isNear = (one: Press, two: Press, distance: number) => Math.hypot(one.x - two.x, one.y - two.y) <= distance;

function useDoublePress(stage: RefObject<HTMLElement | null>, zoom: RefObject<ZoomRef | null>) {
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    let down: Press | undefined;
    let before: Press | undefined;
    const pressOf = ({ timeStamp, clientX, clientY }: PointerEvent): Press => ({ at: timeStamp, x: clientX, y: clientY });
    const onDown = (event: PointerEvent) => {
      const isImage =
        event.target instanceof Element && !event.target.closest('button, select, video') && !selectsText(event, event.target);
      down = event.isPrimary && event.button === 0 && isImage ? pressOf(event) : undefined;
    };
    const onUp = (event: PointerEvent) => {
      const up = pressOf(event);
      if (!down || !isNear(down, up, DOUBLE_PX)) before = undefined;
      else if (before && up.at - before.at < DOUBLE_MS && isNear(before, up, DOUBLE_PX)) {
        before = undefined;
        if (zoom.current) toggle(zoom.current, element, up);
      } else before = up;
      down = undefined;
    };
    element.addEventListener('pointerdown', onDown);
    element.addEventListener('pointerup', onUp);
    return () => {
      element.removeEventListener('pointerdown', onDown);
      element.removeEventListener('pointerup', onUp);
    };
  }, [stage, zoom]);
}

/** A double click on text selects a word. */
const selectsText = ({ pointerType }: PointerEvent, target: Element) => pointerType === 'mouse' && target.closest('[data-text]') !== null;

function toggle({ zoom, maxZoom, disabled, changeZoom }: ZoomRef, element: HTMLElement, { x, y }: Press) {
  if (disabled) return;
  const { left, top, width, height } = element.getBoundingClientRect();
  // The largest zoom shows two of the image's pixels per pixel of the screen.
  const target = zoom > 1 ? 1 : Math.min(maxZoom, Math.max(MIN_STEP, maxZoom / 2));
  changeZoom(target, false, x - left - width / 2, y - top - height / 2);
}
