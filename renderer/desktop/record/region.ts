import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { RecorderView, Region } from '#api/desktop/recording.ts';
import { button, element } from './dom.ts';

/** Device-independent pixels. */
const MIN_SIDE = 32;
const STEP = 10;

type Frozen = Extract<RecorderView, { shows: 'region' }>;
interface Point {
  x: number;
  y: number;
}

/** A display that stands still, on which the user selects a part. */
export function showRegion(bridge: DesktopBridge, display: string, { picture, scale, last, texts }: Frozen): void {
  const text = (name: string) => texts[name] ?? '';
  document.title = text('chooseRegion');
  element('heading').textContent = text('chooseRegion');
  const image = element<HTMLImageElement>('frozen');
  image.src = URL.createObjectURL(new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }));
  const frame = element('frame');
  const size = element('size');
  let region: Region | null = last;
  /** The other end of what is dragged. */
  let from: Point | undefined;
  let grip: Point | undefined;

  const start = button(text('start'), () => confirm());
  element('hint').textContent = text('regionHint');
  element('confirm').append(
    start,
    button(text('cancel'), () => void bridge.cancelChoice()),
  );

  function draw() {
    const isLarge = region !== null && region.width >= MIN_SIDE && region.height >= MIN_SIDE;
    frame.hidden = region === null;
    start.disabled = !isLarge;
    if (!region) return;
    const { x, y, width, height } = region;
    Object.assign(frame.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    // As the encoder will have it.
    const pixels = [width, height].map((side) => 2 * Math.floor((side * scale) / 2));
    size.textContent = pixels.join(' × ');
    frame.classList.toggle('top', y < 40);
  }

  const inside = (value: number, max: number) => Math.min(Math.max(value, 0), max);
  function between(one: Point, other: Point): Region {
    const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
    const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
    return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
  }

  function moved(by: Point, isResized: boolean) {
    const { innerWidth, innerHeight } = window;
    region ??= { x: innerWidth / 4, y: innerHeight / 4, width: innerWidth / 2, height: innerHeight / 2 };
    const { x, y, width, height } = region;
    region = isResized
      ? {
          x,
          y,
          width: Math.max(MIN_SIDE, inside(width + by.x, innerWidth - x)),
          height: Math.max(MIN_SIDE, inside(height + by.y, innerHeight - y)),
        }
      : { x: inside(x + by.x, innerWidth - width), y: inside(y + by.y, innerHeight - height), width, height };
    draw();
  }

  function confirm() {
    if (region && !start.disabled) void bridge.chooseRegion(display, region);
  }

  const pointOf = ({ clientX, clientY }: PointerEvent) => ({
    x: inside(clientX, window.innerWidth),
    y: inside(clientY, window.innerHeight),
  });
  image.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    image.setPointerCapture(event.pointerId);
    from = pointOf(event);
  });
  frame.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    frame.setPointerCapture(event.pointerId);
    grip = pointOf(event);
  });
  document.addEventListener('pointermove', (event) => {
    const to = pointOf(event);
    if (from) region = between(from, to);
    else if (grip) {
      moved({ x: to.x - grip.x, y: to.y - grip.y }, false);
      grip = to;
    }
    draw();
  });
  document.addEventListener('pointerup', () => {
    from = undefined;
    grip = undefined;
  });
  frame.addEventListener('dblclick', confirm);
  document.addEventListener('keydown', (event) => {
    const { key, shiftKey, ctrlKey, metaKey } = event;
    if (key === 'Escape') void bridge.cancelChoice();
    if (key === 'Enter' && !(event.target instanceof HTMLButtonElement)) confirm();
    const step = ctrlKey || metaKey ? 1 : STEP;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key];
    if (!by) return;
    event.preventDefault();
    moved({ x: by[0] ?? 0, y: by[1] ?? 0 }, shiftKey);
  });
  draw();
}
