import { useTranslation } from 'react-i18next';
import classes from './viewer-frame.module.css';

/** For how many seconds a slideshow may show each picture. */
export const INTERVALS = [3, 5, 10, 30] as const;

/** Chooses how long the slideshow shows each picture. */
export function SlideshowInterval({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  const { t } = useTranslation();
  return (
    <select
      className={classes.interval}
      aria-label={t('viewer.interval')}
      title={t('viewer.interval')}
      value={seconds}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    >
      {INTERVALS.map((interval) => (
        <option key={interval} value={interval}>
          {t('viewer.seconds', { count: interval })}
        </option>
      ))}
    </select>
  );
}
