import { ActionIcon, Button, Switch } from '@mantine/core';
import { IconRotateRectangle, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { RATIOS, type Ratio, roundedCrop } from '#renderer/editor/marks/crop.ts';
import { COLOURS } from '#renderer/editor/marks/drawing.ts';
import { isCover } from '#renderer/editor/picture/render.ts';
import { turnedSize } from '#renderer/editor/stage/geometry.ts';
import classes from './editor.module.css';
import { WEIGHT_NAMES, weightOf } from './tools.ts';
import type { Editor } from './use-editor.ts';

/** What can be chosen for the tool or the selected mark. */
export function Options({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  return (
    <section className={classes.options} aria-label={t('options')}>
      {editor.cropping ? <CropOptions editor={editor} /> : <MarkOptions editor={editor} />}
    </section>
  );
}

function MarkOptions({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const { tool, chosen, writing, drawing } = editor;
  const mark = writing ?? chosen;
  const isStyled = mark ? !isCover(mark) : tool === 'box' || tool === 'arrow' || tool === 'text';
  const nothing = tool === 'select' && !drawing.marks.length;
  return (
    <>
      {isStyled && <Look editor={editor} />}
      {!mark && tool !== 'crop' && !isStyled && <p className={classes.hint}>{t(nothing ? 'hint.nothing' : `hint.${tool}`)}</p>}
      {mark && isCover(mark) && <p className={classes.hint}>{t(`hint.${mark.kind}`)}</p>}
      {chosen && !writing && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => editor.remove(chosen.id)}
        >
          {t('delete')}
        </Button>
      )}
    </>
  );
}

/** Colour and width of the lines that are drawn, or of the selected mark. */
function Look({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const { chosen, writing, style, content, tool } = editor;
  const mark = writing ?? chosen;
  const look = mark && !isCover(mark) ? { colour: mark.colour, weight: weightOf(mark.line, content) } : style;
  const filled = mark?.kind === 'box' ? mark.filled : style.filled;
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
            aria-pressed={look.colour === colour}
            onClick={() => editor.restyle({ colour })}
          />
        ))}
      </fieldset>
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
            aria-pressed={look.weight === weight}
            onClick={() => editor.restyle({ weight })}
          />
        ))}
      </fieldset>
      {(mark ? mark.kind === 'box' : tool === 'box') && (
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
