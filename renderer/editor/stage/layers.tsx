import 'konva/lib/shapes/Arrow.js';
import 'konva/lib/shapes/Circle.js';
import 'konva/lib/shapes/Rect.js';
import 'konva/lib/shapes/Text.js';
import { Arrow, Circle, Group, Layer, Rect, Shape, Text } from 'react-konva/lib/ReactKonvaCore.js';
import type { Drawing, Mark } from '#renderer/editor/marks/drawing.ts';
import { boundsOf, rectTransformHandles, transformHandlesOf } from '#renderer/editor/marks/marks.ts';
import { shapesOf } from '#renderer/editor/marks/shapes.ts';
import type { Covers } from '#renderer/editor/picture/covers.ts';
import { drawBase, drawCover, isCover, turnedGroup } from '#renderer/editor/picture/render.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import { type Rect as Area, turnPoint, turnRect, type View } from './geometry.ts';
import { MIN_EDGE } from './use-pointer.ts';

const ACCENT = '#1d7f8d';

interface Props {
  source: Source;
  covers: Covers;
  drawing: Drawing;
  view: View;
}

/** The picture with its marks. `content` is what is left of it, turned. */
export function PictureLayer({ source, covers, drawing, view, content }: Props & { content: Area }) {
  // The small copy suffices until its pixels would be seen.
  const isClose = view.scale * window.devicePixelRatio * source.size.width > source.preview.width * 1.2;
  const { x: clipX, y: clipY, width: clipWidth, height: clipHeight } = content;
  return (
    <Layer listening={false}>
      <Group x={view.x} y={view.y} scaleX={view.scale} scaleY={view.scale} {...{ clipX, clipY, clipWidth, clipHeight }}>
        <Shape sceneFunc={drawBase(source, isClose ? source.image : source.preview, covers, drawing)} />
        <Group {...turnedGroup(drawing.turns, source.size)}>
          {drawing.marks.map((mark) =>
            isCover(mark) ? (
              <Shape key={mark.id} sceneFunc={drawCover(covers, mark)} />
            ) : (
              <Group key={mark.id}>
                {shapesOf(mark).map(({ type, attrs }, index) => {
                  // The shapes of a mark are always the same.
                  const key = `${mark.id} ${type} ${index}`;
                  if (type === 'Rect') return <Rect key={key} {...attrs} />;
                  return type === 'Arrow' ? <Arrow key={key} {...attrs} points={attrs.points} /> : <Text key={key} {...attrs} />;
                })}
              </Group>
            ),
          )}
        </Group>
      </Group>
    </Layer>
  );
}

const handleLook = { fill: '#ffffff', stroke: ACCENT, strokeWidth: 2, shadowColor: '#000000', shadowOpacity: 0.3, shadowBlur: 3 };

/** The edges and handles of the selected mark, in the sizes of the screen. */
export function SelectionLayer({ mark, drawing, source, view }: Omit<Props, 'covers'> & { mark: Mark }) {
  const box = onScreen(turnRect(boundsOf(mark), drawing.turns, source.size), view);
  const gap = mark.kind === 'text' ? 4 : 0;
  return (
    <Layer listening={false}>
      {mark.kind !== 'arrow' &&
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

/** The frame of the crop with its thirds and handles, and a shade over everything outside. */
export function CropLayer({ crop, drawing, source, view }: Omit<Props, 'covers'> & { crop: Area }) {
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
