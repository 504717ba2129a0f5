import { useTranslation } from 'react-i18next';
import classes from '#renderer/features/gallery/gallery.module.css';

const SHAPES = [1.5, 0.8, 1.3, 1.8, 1, 1.4, 0.7, 1.6, 1.2, 1.5, 0.9, 1.7];

/** A placeholder in the shape of the timeline while the first page loads. */
export function TimelineSkeleton() {
  const { t } = useTranslation();
  return (
    <div className={classes.skeleton} role="status" aria-label={t('common.loading')}>
      {SHAPES.map((shape, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed pattern
        <span key={index} style={{ flexGrow: shape, flexBasis: `${shape * 9}rem` }} />
      ))}
    </div>
  );
}
