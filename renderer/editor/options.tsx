import { ActionIcon, Button } from '@mantine/core';
import { IconClipboard, IconCopy, IconCopyPlus, IconRotateRectangle, IconTrash } from '@tabler/icons-react';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { RATIOS, type Ratio, roundedCrop } from '#renderer/editor/marks/crop.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { CoverText, type ReadText } from './cover-text/cover-text.tsx';
import classes from './editor.module.css';
import { FrameOptions } from './frame-options.tsx';
import { turnedSize } from './geometry.ts';
import { COLOURS, WEIGHT_NAMES, weightOf } from './tools/tool.ts';
import { isMarkKind, type Mark, type MarkKind, toolOf } from './tools/tools.ts';
import type { Editor } from './use-editor.ts';

/** What can be chosen for the tool or the selected mark. */
export function Options({ editor, readText }: { editor: Editor; readText?: ReadText | undefined }) {
  const { t } = useTranslation('editor');
  return (
    <section className={classes.options} aria-label={t('options')}>
      {editor.cropping ? (
        <CropOptions editor={editor} />
      ) : editor.tool === 'frame' && !editor.chosen ? (
        <FrameOptions editor={editor} />
      ) : (
        <MarkOptions editor={editor} readText={readText} />
      )}
    </section>
  );
}

function MarkOptions({ editor, readText }: { editor: Editor; readText: ReadText | undefined }) {
  const { t } = useTranslation('editor');
  const { tool, chosen, writing, drawing } = editor;
  const mark = writing ?? chosen;
  const kind = mark?.kind ?? tool;
  const hasLook = isMarkKind(kind) && toolOf(kind).options.length > 0;
  const hint = kind === 'select' && !drawing.marks.length ? 'nothing' : kind;
  return (
    <>
      {hasLook && <Look editor={editor} kind={kind} mark={mark} />}
      {(hint === 'nothing' || hint === 'select' || hint === 'pixelate' || hint === 'blur' || hint === 'spotlight') && (
        <p className={classes.hint}>{t(`hint.${hint}`)}</p>
      )}
      {readText && (kind === 'select' || (isMarkKind(kind) && toolOf(kind).isCover)) && <CoverText editor={editor} readText={readText} />}
      {!writing && <MarkActions editor={editor} />}
    </>
  );
}

/** What can be done with the selected mark, and with the copied one. */
function MarkActions({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const { chosen, copied } = editor;
  const look = { variant: 'subtle', color: 'gray', size: '2.25rem' } as const;
  const icon = { size: 20, stroke: 1.7 } as const;
  if (!chosen && !copied) return null;
  return (
    <div className={classes.group}>
      {chosen && (
        <>
          <ActionIcon {...look} aria-label={t('duplicate')} title={`${t('duplicate')} (Ctrl+D)`} onClick={editor.duplicate}>
            <IconCopyPlus {...icon} />
          </ActionIcon>
          <ActionIcon {...look} aria-label={t('copy')} title={`${t('copy')} (Ctrl+C)`} onClick={editor.copy}>
            <IconCopy {...icon} />
          </ActionIcon>
        </>
      )}
      {copied && (
        <ActionIcon {...look} aria-label={t('paste')} title={`${t('paste')} (Ctrl+V)`} onClick={editor.paste}>
          <IconClipboard {...icon} />
        </ActionIcon>
      )}
      {chosen && (
        <ActionIcon {...look} color="red" aria-label={t('delete')} title={`${t('delete')} (Del)`} onClick={() => editor.remove(chosen.id)}>
          <IconTrash {...icon} />
        </ActionIcon>
      )}
    </div>
  );
}

interface LookProps {
  editor: Editor;
  kind: MarkKind;
  mark: Mark | undefined;
}

/** The look of what a tool draws, or of the selected mark. */
function Look({ editor, kind, mark }: LookProps) {
  const { t } = useTranslation('editor');
  const { styles, content } = editor;
  const { options } = toolOf(kind);
  const colourNow = mark && 'colour' in mark ? mark.colour : styles[kind].colour;
  const weightNow = mark && 'line' in mark ? weightOf(mark.line, content) : styles[kind].weight;
  const filled = mark && 'filled' in mark ? mark.filled : styles[kind].filled;
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('colour')}</legend>
        {COLOURS.map((colour) => (
          <button
            key={colour}
            type="button"
            className={classes.swatch}
            style={{ color: colour }}
            aria-label={t(`colours.${colour}`)}
            title={t(`colours.${colour}`)}
            aria-pressed={colourNow === colour}
            onClick={() => editor.restyle({ colour })}
          />
        ))}
      </fieldset>
      {options.includes('weight') && (
        <fieldset className={classes.group}>
          <legend>{t('weight')}</legend>
          {WEIGHT_NAMES.map((weight) => (
            <button
              key={weight}
              type="button"
              className={classes.weight}
              data-weight={weight}
              aria-label={t(`weights.${weight}`)}
              title={t(`weights.${weight}`)}
              aria-pressed={weightNow === weight}
              onClick={() => editor.restyle({ weight })}
            />
          ))}
        </fieldset>
      )}
      {options.includes('filled') && (
        <Switch label={t('filled')} checked={filled} onChange={(event) => editor.restyle({ filled: event.currentTarget.checked })} />
      )}
    </>
  );
}

function CropOptions({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const { cropping, size, drawing } = editor;
  if (!cropping) return null;
  const { width, height } = turnedSize(roundedCrop(cropping.rect, size), drawing.turns);
  const isShaped = !['free', 'original', 'square'].includes(cropping.ratio);
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('ratio')}</legend>
        {(Object.keys(RATIOS) as Ratio[]).map((ratio) => (
          <button
            key={ratio}
            type="button"
            className={classes.chip}
            aria-pressed={cropping.ratio === ratio}
            onClick={() => editor.shapeCrop(ratio, cropping.upright)}
          >
            {t(`ratios.${ratio}`)}
          </button>
        ))}
      </fieldset>
      <div className={classes.group}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="2.25rem"
          aria-label={t('swap')}
          title={t('swap')}
          disabled={!isShaped}
          onClick={() => editor.shapeCrop(cropping.ratio, !cropping.upright)}
        >
          <IconRotateRectangle size={20} stroke={1.7} />
        </ActionIcon>
        <output className={classes.size}>{t('cropSize', { width, height })}</output>
        <Button variant="subtle" size="xs" onClick={editor.resetCrop}>
          {t('cropReset')}
        </Button>
        <Button size="xs" onClick={editor.applyCrop}>
          {t('cropApply')}
        </Button>
      </div>
    </>
  );
}
