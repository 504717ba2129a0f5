import 'konva/lib/shapes/Arrow.js';
import 'konva/lib/shapes/Circle.js';
import 'konva/lib/shapes/Ellipse.js';
import 'konva/lib/shapes/Line.js';
import 'konva/lib/shapes/Rect.js';
import 'konva/lib/shapes/Text.js';
import { createElement } from 'react';
import { Circle, Group, Layer, Line, Rect, Shape } from 'react-konva/lib/ReactKonvaCore.js';
import { type Rect as Area, turnPoint, turnRect, type View } from '#renderer/editor/geometry.ts';
import type { Drawing } from '#renderer/editor/marks/drawing.ts';
import type { Frame } from '#renderer/editor/marks/frame.ts';
import { boundsOf, rectTransformHandles, transformHandlesOf } from '#renderer/editor/marks/marks.ts';
import type { Guide } from '#renderer/editor/marks/snapping.ts';
import { clipTo, drawBase, drawCover, drawSurroundings, shapesOf, turnedGroup } from '#renderer/editor/picture/render.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import { isObscured, type Mark, toolOf } from '#renderer/editor/tools/tools.ts';
import { MIN_EDGE } from './use-pointer.ts';

const ACCENT = '#1d7f8d';

interface Props {
  source: Source;
  drawing: Drawing;
  view: View;
}

interface PictureProps extends Props {
  /** What is shown of the turned picture. */
  content: Area;
  frame: Frame | null;
}

/** The picture with its marks and its frame. */
export function PictureLayer({ source, drawing, view, content, frame }: PictureProps) {
  // The small copy suffices until its pixels would be seen.
  const isClose = view.scale * window.devicePixelRatio * source.size.width > source.preview.width * 1.2;
  return (
    <Layer listening={false}>
      <Group x={view.x} y={view.y} scaleX={view.scale} scaleY={view.scale}>
        <Shape sceneFunc={drawSurroundings(content, { frame })} />
        <Group clipFunc={clipTo(content, { frame })}>
          <Shape sceneFunc={drawBase(source, isClose ? source.image : source.preview, drawing)} />
          <Group {...turnedGroup(drawing.turns, source.size)}>
            {drawing.marks.map((mark) =>
              isObscured(mark) ? (
                <Shape key={mark.id} sceneFunc={drawCover(source, drawing, mark)} />
              ) : (
                <Group key={mark.id}>
                  {shapesOf(drawing, mark).map(({ type, attrs }, index) =>
                    // The shapes of a mark are always the same. React-Konva's components are the names of Konva's shapes.
                    createElement(type as string, { ...attrs, key: `${mark.id} ${type} ${index}` }),
                  )}
                </Group>
              ),
            )}
          </Group>
        </Group>
      </Group>
    </Layer>
  );
}

const handleLook = { fill: '#ffffff', stroke: ACCENT, strokeWidth: 2, shadowColor: '#000000', shadowOpacity: 0.3, shadowBlur: 3 };

/** The edges and handles of the selected mark, in the sizes of the screen. */
export function SelectionLayer({ mark, drawing, source, view }: Props & { mark: Mark }) {
  const box = onScreen(turnRect(boundsOf(mark), drawing.turns, source.size), view);
  const gap = mark.kind === 'text' || mark.kind === 'step' ? 4 : 0;
  return (
    <Layer listening={false}>
      {(!toolOf(mark.kind).ends || mark.kind === 'callout') &&
        [
          { stroke: '#ffffff', strokeWidth: 3, opacity: 0.8 },
          { stroke: ACCENT, strokeWidth: 1.5 },
        ].map((look) => (
          <Rect key={look.stroke} {...look} x={box.x - gap} y={box.y - gap} width={box.width + 2 * gap} height={box.height + 2 * gap} />
        ))}
      {transformHandlesOf(mark, MIN_EDGE / view.scale).map((handle) => {
        const { x, y } = turnPoint(handle, drawing.turns, source.size);
        return <Circle key={handle.type} {...handleLook} x={x * view.scale + view.x} y={y * view.scale + view.y} radius={5.5} />;
      })}
    </Layer>
  );
}

/** The lines that what is being dragged is aligned with. */
export function GuideLayer({ guides, drawing, source, view }: Props & { guides: readonly Guide[] }) {
  const { width, height } = source.size;
  return (
    <Layer listening={false}>
      {guides.map(({ axis, at }) => {
        const ends =
          axis === 'x'
            ? [
                { x: at, y: 0 },
                { x: at, y: height },
              ]
            : [
                { x: 0, y: at },
                { x: width, y: at },
              ];
        const points = ends.flatMap((end) => {
          const { x, y } = turnPoint(end, drawing.turns, source.size);
          return [x * view.scale + view.x, y * view.scale + view.y];
        });
        return <Line key={axis} points={points} stroke="#e6339a" strokeWidth={1} />;
      })}
    </Layer>
  );
}

/** The frame of the crop with its thirds and handles, and a shade over everything outside. */
export function CropLayer({ crop, drawing, source, view }: Props & { crop: Area }) {
  const whole = onScreen(turnRect({ x: 0, y: 0, ...source.size }, drawing.turns, source.size), view);
  const rect = onScreen(turnRect(crop, drawing.turns, source.size), view);
  const [right, bottom] = [rect.x + rect.width, rect.y + rect.height];
  const shades = [
    { x: whole.x, y: whole.y, width: whole.width, height: rect.y - whole.y },
    { x: whole.x, y: bottom, width: whole.width, height: whole.y + whole.height - bottom },
    { x: whole.x, y: rect.y, width: rect.x - whole.x, height: rect.height },
    { x: right, y: rect.y, width: whole.x + whole.width - right, height: rect.height },
  ];
  const thirds = [1, 2].flatMap((third) => [
    { x: rect.x + (rect.width * third) / 3, y: rect.y, width: 1, height: rect.height },
    { x: rect.x, y: rect.y + (rect.height * third) / 3, width: rect.width, height: 1 },
  ]);
  return (
    <Layer listening={false}>
      {shades.map((shade, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: always the same four sides
        <Rect key={index} {...shade} fill="#0b1113" opacity={0.55} />
      ))}
      {thirds.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: always the same four lines
        <Rect key={index} {...line} fill="#ffffff" opacity={0.35} />
      ))}
      <Rect {...rect} stroke="#ffffff" strokeWidth={2} shadowColor="#000000" shadowOpacity={0.5} shadowBlur={4} />
      {rectTransformHandles(rect, MIN_EDGE).map(({ type, x, y }) => (
        <Circle key={type} {...handleLook} x={x} y={y} radius={type.length === 2 ? 7 : 5} />
      ))}
    </Layer>
  );
}

const onScreen = ({ x, y, width, height }: Area, view: View): Area => ({
  x: x * view.scale + view.x,
  y: y * view.scale + view.y,
  width: width * view.scale,
  height: height * view.scale,
});
