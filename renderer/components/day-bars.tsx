import { useFormat } from '#renderer/i18n/format.ts';
import classes from './day-bars.module.css';

const HEIGHT = 44;

/** A small chart of views per day. `label` says what it shows, for those who don't see it. */
export function DayBars({ days, label }: { days: readonly { date: string; views: number }[]; label: string }) {
  const format = useFormat();
  const max = Math.max(1, ...days.map(({ views }) => views));
  const width = 100 / days.length;
  return (
    <svg className={classes.bars} viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {days.map(({ date, views }, index) => {
        const height = views ? Math.max(2, (views / max) * HEIGHT) : 0.75;
        return (
          <rect key={date} x={index * width} y={HEIGHT - height} width={width * 0.72} height={height} data-none={!views || undefined}>
            <title>{format.labelled(format.date(`${date}T12:00:00`), format.number(views))}</title>
          </rect>
        );
      })}
    </svg>
  );
}
