import { ActionIcon } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import { type RefObject, useEffect, useId, useMemo, useRef } from 'react';
import { Stage as KonvaStage } from 'react-konva/lib/ReactKonvaCore.js';
import classes from '#renderer/editor/editor.module.css';
import { type Rect, turnRect, wholeRect } from '#renderer/editor/geometry.ts';
import { type Frame, framed, hasBackground, isTransparentFrame } from '#renderer/editor/marks/frame.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import type { Editor } from '#renderer/editor/use-editor.ts';
import { useStageKeys, useZoomKeys } from '#renderer/editor/use-keys.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { CropLayer, GuideLayer, PictureLayer, SelectionLayer } from './layers.tsx';
import { TextField } from './text-field.tsx';
import { usePointer } from './use-pointer.ts';
import { type ShownView, useView } from './use-view.ts';

interface Props {
  source: Source;
  editor: Editor;
}

/** The picture with its marks, on which they are drawn and moved. */
export function Stage({ source, editor }: Props) {
  const { ref, width, height } = useElementSize();
  const element = useRef<HTMLDivElement>(null);
  const merged = useMergedRef(ref, element);
  const screen = useMemo(() => ({ width, height }), [width, height]);
  const { drawing, cropping, content } = editor;
  // Cropping shows the whole picture, without its frame.
  const frame = cropping ? null : drawing.frame;
  const part = turnRect(cropping ? wholeRect(source.size) : content, drawing.turns, source.size);
  const shown = useView(framed(part, frame), screen);
  const pointer = usePointer(element, editor, shown);
  const keys = useStageKeys(editor, shown);
  useZoomKeys(shown);
  const { t } = useTranslation('editor');
  const hint = useId();
  useKeepsToasts(element, height);
  return (
    <div className={classes.stage}>
      <div
        ref={merged}
        role="application"
        aria-label={t('stage')}
        aria-describedby={hint}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it has keys
        tabIndex={0}
        className={classes.surface}
        data-testid="editor-stage"
        {...pointer}
        {...keys}
      >
        {width > 0 && <Drawn source={source} editor={editor} shown={shown} part={part} frame={frame} screen={screen} />}
      </div>
      <p id={hint} hidden>
        {t('stageKeys')}
      </p>
      {editor.writing && <TextField key={editor.writing.id} mark={editor.writing} editor={editor} source={source} view={shown.view} />}
      <ZoomButtons shown={shown} isKnown={width > 0} />
    </div>
  );
}

interface DrawnProps extends Props {
  shown: ShownView;
  part: Rect;
  frame: Frame | null;
  screen: { width: number; height: number };
}

function Drawn({ source, editor, shown: { view }, part, frame, screen }: DrawnProps) {
  const { drawing, cropping, chosen, guides } = editor;
  const paper = framed(part, frame);
  const selected = drawing.marks.find(({ id }) => id === chosen?.id);
  return (
    <>
      <div
        className={classes.paper}
        data-testid="editor-paper"
        data-transparent={(source.isTransparent && !hasBackground(frame)) || isTransparentFrame(frame) || undefined}
        style={{
          left: paper.x * view.scale + view.x,
          top: paper.y * view.scale + view.y,
          width: paper.width * view.scale,
          height: paper.height * view.scale,
        }}
      />
      <KonvaStage width={screen.width} height={screen.height} className={classes.canvas}>
        <PictureLayer source={source} drawing={drawing} view={view} content={part} frame={frame} />
        {cropping && <CropLayer crop={cropping.rect} drawing={drawing} source={source} view={view} />}
        {selected && !cropping && <SelectionLayer mark={selected} drawing={drawing} source={source} view={view} />}
        {guides.length > 0 && <GuideLayer guides={guides} drawing={drawing} source={source} view={view} />}
      </KonvaStage>
    </>
  );
}

/** Notifications are shown above what is below the picture: colours and hints. */
function useKeepsToasts(surface: RefObject<HTMLElement | null>, height: number) {
  useEffect(() => {
    const { style } = document.documentElement;
    const bottom = surface.current?.getBoundingClientRect().bottom ?? window.innerHeight;
    style.setProperty('--pd-below-picture', `${height > 0 ? window.innerHeight - bottom : 0}px`);
    return () => void style.removeProperty('--pd-below-picture');
  }, [surface, height]);
}

const ZOOM_STEP = 1.4;

/** Zooms in, out, and back to the whole picture. */
function ZoomButtons({ shown, isKnown }: { shown: ShownView; isKnown: boolean }) {
  const { t } = useTranslation('editor');
  const format = useFormat();
  const look = { variant: 'subtle', color: 'gray', size: '2.25rem' } as const;
  return (
    <div className={classes.zoom}>
      <ActionIcon {...look} aria-label={t('zoomOut')} title={`${t('zoomOut')} (−)`} onClick={() => shown.zoom(1 / ZOOM_STEP)}>
        <IconMinus size={18} />
      </ActionIcon>
      <output className={classes.percent} aria-label={t('zoom')} title={`${t('fullSize')} (1)`}>
        {isKnown && format.percent(shown.view.scale)}
      </output>
      <ActionIcon {...look} aria-label={t('zoomIn')} title={`${t('zoomIn')} (+)`} onClick={() => shown.zoom(ZOOM_STEP)}>
        <IconPlus size={18} />
      </ActionIcon>
      <ActionIcon {...look} aria-label={t('fit')} title={`${t('fit')} (0)`} disabled={shown.isFitted} onClick={shown.fit}>
        <IconMaximize size={18} />
      </ActionIcon>
    </div>
  );
}
