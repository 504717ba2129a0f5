import { useEffect, useRef } from 'react';
import classes from '#renderer/editor/editor.module.css';
import { toScreen, toTurns, turnPoint, type View } from '#renderer/editor/geometry.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import type { CalloutMark } from '#renderer/editor/tools/callout.ts';
import { isWrapped } from '#renderer/editor/tools/families/writing.ts';
import { FONT, FONT_WEIGHT, fontSize, inkOn, LINE_HEIGHT } from '#renderer/editor/tools/looks.ts';
import type { TextMark } from '#renderer/editor/tools/text.ts';
import type { Editor } from '#renderer/editor/use-editor.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  mark: TextMark | CalloutMark;
  editor: Editor;
  source: Source;
  view: View;
}

/** The text that is being written, where it will be on the picture. */
export function TextField({ mark, editor, source, view }: Props) {
  const { t } = useTranslation('editor');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const { turns } = editor.drawing;
  const { x, y } = toScreen(turnPoint(mark, turns, source.size), view);
  const size = fontSize(mark) * view.scale;
  return (
    <textarea
      ref={field}
      className={classes.textField}
      aria-label={t('text')}
      placeholder={t('textPlaceholder')}
      value={mark.text}
      rows={1}
      wrap={isWrapped(mark) ? 'soft' : 'off'}
      spellCheck={false}
      style={{
        left: x,
        top: y,
        width: isWrapped(mark) ? mark.width * view.scale : Math.max(mark.width * view.scale, size * 5) + size * 0.7,
        whiteSpace: isWrapped(mark) ? 'pre-wrap' : 'pre',
        height: Math.max(mark.height, fontSize(mark) * LINE_HEIGHT) * view.scale,
        ...(mark.kind === 'callout' ? { color: inkOn(mark.colour), background: mark.colour } : { color: mark.colour }),
        font: `${FONT_WEIGHT} ${size}px/${LINE_HEIGHT} ${FONT}`,
        rotate: `${toTurns(mark.turns + turns) * 90}deg`,
      }}
      onChange={(event) => editor.setText(event.currentTarget.value)}
      onBlur={(event) => {
        // Its colour and size are chosen while it is written.
        if (!event.relatedTarget?.closest('[data-keeps-text]')) editor.finishWriting();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) editor.finishWriting();
      }}
    />
  );
}
