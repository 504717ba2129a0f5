import { IconPhoto, IconUpload } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { contrastOf, deriveAccent, type ThemeAccent } from '#api/accent.ts';
import type { Branding } from '#api/branding.ts';
import { isWide, LogoMark } from '#renderer/components/layout/brand.tsx';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { theme } from '#renderer/theme/theme.ts';
import classes from './branding.module.css';

interface Props {
  name: string;
  logo: Branding['logo'];
  /** Null: the default. */
  color: string | null;
}

const shade = (name: 'petrol' | 'gray' | 'dark', index: number) => theme.colors?.[name]?.[index] ?? '#000000';

/** What pages look like without a colour of the site's own. */
const DEFAULT: Record<'light' | 'dark', ThemeAccent> = {
  light: { fill: shade('petrol', 7), text: shade('petrol', 7), soft: shade('petrol', 0) },
  dark: { fill: shade('petrol', 6), text: shade('petrol', 3), soft: '#1b3135' },
};

const GROUNDS = {
  light: { ground: '#ffffff', rail: shade('gray', 0), line: shade('gray', 2), text: theme.black ?? '#000000' },
  dark: { ground: shade('dark', 7), rail: shade('dark', 8), line: shade('dark', 5), text: shade('dark', 0) },
};

/** A part of a page in both themes, as it will look. */
export function Preview({ name, logo, color }: Props) {
  const accent = color === null ? DEFAULT : deriveAccent(color);
  return (
    <div className={classes.previews}>
      {(['light', 'dark'] as const).map((scheme) => (
        <Page key={scheme} scheme={scheme} accent={accent[scheme]} name={name} logo={logo} />
      ))}
    </div>
  );
}

function Page({ scheme, accent, name, logo }: { scheme: 'light' | 'dark'; accent: ThemeAccent } & Omit<Props, 'color'>) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { ground, rail, line, text } = GROUNDS[scheme];
  const colors = { '--ground': ground, '--rail': rail, '--line': line, '--text': text } as CSSProperties;
  const used = { '--fill': accent.fill, '--accent': accent.text, '--soft': accent.soft } as CSSProperties;
  const ratio = (one: string, other: string) => format.number(Math.floor(contrastOf(one, other) * 10) / 10);
  return (
    <figure className={classes.figure}>
      <div className={classes.page} style={{ ...colors, ...used }} aria-hidden="true">
        <div className={classes.brand}>
          <LogoMark size={28} logo={logo} scheme={scheme} />
          {!isWide(logo) && <span>{name}</span>}
        </div>
        <div className={classes.body}>
          <span className={classes.button}>
            <IconUpload size={16} />
            {t('branding.button')}
          </span>
          <span className={classes.selected}>
            <IconPhoto size={16} />
            {t('branding.selected')}
          </span>
          <span className={classes.link}>{t('branding.link')}</span>
        </div>
      </div>
      <figcaption className={classes.caption}>
        <strong>{t(`branding.${scheme}`)}</strong>
        <dl>
          <dt>{t('branding.buttons')}</dt>
          <dd>{t('branding.contrast', { color: accent.fill, ratio: ratio('#ffffff', accent.fill) })}</dd>
          <dt>{t('branding.links')}</dt>
          <dd>{t('branding.contrast', { color: accent.text, ratio: ratio(accent.text, ground) })}</dd>
        </dl>
      </figcaption>
    </figure>
  );
}
