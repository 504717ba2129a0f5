import type { CSSProperties } from 'react';
import { Switch } from '#renderer/components/forms/switch.tsx';
import { BACKGROUNDS, CORNERS, type Frame, PADDINGS } from '#renderer/editor/marks/frame.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './editor.module.css';
import type { Editor } from './use-editor.ts';

const namesOf = <Name extends string>(values: Record<Name, unknown>) => Object.keys(values) as Name[];

/** Turns the frame on and off, and changes its look. */
export function FrameOptions({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const { frame } = editor;
  return (
    <>
      <Switch label={t('frame.on')} checked={frame !== null} onChange={(event) => editor.toggleFrame(event.currentTarget.checked)} />
      {frame ? <FrameLook frame={frame} onChange={editor.changeFrame} /> : <p className={classes.hint}>{t('frame.hint')}</p>}
    </>
  );
}

function FrameLook({ frame, onChange }: { frame: Frame; onChange: (part: Partial<Frame>) => void }) {
  const { t } = useTranslation('editor');
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{t('frame.background')}</legend>
        {namesOf(BACKGROUNDS).map((background) => (
          <button
            key={background}
            type="button"
            className={classes.swatch}
            data-empty={background === 'none' || undefined}
            style={{ '--background': `linear-gradient(135deg, ${stopsOf(BACKGROUNDS[background])})` } as CSSProperties}
            aria-label={t(`frame.backgrounds.${background}`)}
            title={t(`frame.backgrounds.${background}`)}
            aria-pressed={frame.background === background}
            onClick={() => onChange({ background })}
          />
        ))}
      </fieldset>
      <fieldset className={classes.group}>
        <legend className={classes.shown}>{t('frame.padding')}</legend>
        {namesOf(PADDINGS).map((padding) => (
          <button
            key={padding}
            type="button"
            className={classes.chip}
            aria-pressed={frame.padding === padding}
            onClick={() => onChange({ padding })}
          >
            {t(`frame.paddings.${padding}`)}
          </button>
        ))}
      </fieldset>
      <fieldset className={classes.group}>
        <legend className={classes.shown}>{t('frame.corners')}</legend>
        {namesOf(CORNERS).map((corners) => (
          <button
            key={corners}
            type="button"
            className={classes.chip}
            aria-pressed={frame.corners === corners}
            onClick={() => onChange({ corners })}
          >
            {t(`frame.cornerSizes.${corners}`)}
          </button>
        ))}
      </fieldset>
      <Switch
        label={t('frame.shadow')}
        checked={frame.shadow}
        disabled={frame.padding === 'none'}
        onChange={(event) => onChange({ shadow: event.currentTarget.checked })}
      />
    </>
  );
}

/** One colour is a gradient, too. */
const stopsOf = (colours: readonly string[]) => (colours.length === 1 ? [...colours, ...colours] : colours).join(', ');
