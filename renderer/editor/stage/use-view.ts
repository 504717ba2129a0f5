import { useCallback, useMemo, useState } from 'react';
import { fitView, keepVisible, type Point, type Rect, type Size, type View, zoomView } from '#renderer/editor/geometry.ts';

/** Free space around the picture, in CSS pixels: less on a small screen. */
const MAX_PADDING = 24;
const PADDING_SHARE = 0.04;
const paddingOf = ({ width, height }: Size) => Math.min(MAX_PADDING, Math.min(width, height) * PADDING_SHARE);

/** How the picture is shown: fitted into the screen until the user zooms or moves it. `content` is a part of the turned picture. */
export function useView(content: Rect, screen: Size) {
  const [own, setOwn] = useState<{ view: View; name: string }>();
  const { x, y, width, height } = content;
  // Another part of the picture, or a turned one, is fitted again.
  const name = [x, y, width, height].join(' ');
  const fitted = useMemo(() => fitView({ x, y, width, height }, screen, paddingOf(screen)), [x, y, width, height, screen]);
  const view = own?.name === name ? own.view : fitted;
  // From the latest view, since the pointer may move again before anything is rendered.
  const change = useCallback(
    (next: (view: View) => View) =>
      setOwn((before) => ({
        view: keepVisible(next(before?.name === name ? before.view : fitted), { x, y, width, height }, screen),
        name,
      })),
    [x, y, width, height, screen, name, fitted],
  );
  const centre = { x: screen.width / 2, y: screen.height / 2 };
  return {
    view,
    isFitted: view === fitted,
    zoom: (factor: number, at: Point = centre) => change((before) => zoomView(before, factor, at)),
    move: (by: Point) => change((before) => ({ ...before, x: before.x + by.x, y: before.y + by.y })),
    fit: () => setOwn(undefined),
    /** One pixel of the picture for each of the screen. */
    fullSize: () => change((before) => zoomView(before, 1 / before.scale, centre)),
  };
}

export type ShownView = ReturnType<typeof useView>;
