import classes from './progress.module.css';

interface Props {
  /** Percent. */
  value: number;
  label: string;
  /** Shows that the rest takes an unknown time. */
  busy?: boolean;
}

/** A thin bar that shows the progress of something. */
export function Progress({ value, label, busy = false }: Props) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value)}
      className={classes.bar}
      data-busy={busy || undefined}
    >
      <span style={{ width: `${value}%` }} />
    </div>
  );
}
