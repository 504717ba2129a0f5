import type { Rect } from '#renderer/editor/geometry.ts';
import { BACKGROUNDS, type Frame, framed, paddingOf, radiusOf } from '#renderer/editor/marks/frame.ts';

/** Adds the outline of a picture with its corners to the path. */
export function outline(context: CanvasRenderingContext2D, content: Rect, frame: Frame | null): void {
  const { x, y, width, height } = content;
  context.roundRect(x, y, width, height, radiusOf(content, frame));
}

/** Draws what is around and behind a picture. `content` is what remains of the turned picture. */
export function drawFrame(context: CanvasRenderingContext2D, content: Rect, frame: Frame): void {
  const { x, y, width, height } = framed(content, frame);
  const colours = BACKGROUNDS[frame.background];
  context.save();
  if (colours.length > 0) {
    const gradient = context.createLinearGradient(x, y, x + width, y + height);
    for (const [at, colour] of colours.entries()) gradient.addColorStop(at / Math.max(1, colours.length - 1), colour);
    context.fillStyle = gradient;
    context.fillRect(x, y, width, height);
  }
  if (frame.shadow) drawShadow(context, content, frame);
  context.restore();
}

/** Only around the picture: one that is transparent must not be darkened. */
function drawShadow(context: CanvasRenderingContext2D, content: Rect, frame: Frame): void {
  const { x, y, width, height } = framed(content, frame);
  context.beginPath();
  context.rect(x, y, width, height);
  outline(context, content, frame);
  context.clip('evenodd');
  // Shadows are measured in pixels of the canvas, however it is scaled.
  const { a, b } = context.getTransform();
  const unit = paddingOf(content, frame) * Math.hypot(a, b);
  context.shadowColor = 'rgb(0 0 0 / 50%)';
  context.shadowBlur = unit * 0.55;
  context.shadowOffsetY = unit * 0.16;
  context.fillStyle = '#000000';
  context.beginPath();
  outline(context, content, frame);
  context.fill();
}
