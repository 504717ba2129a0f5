import { type ReactNode, useId } from 'react';
import classes from './settings.module.css';

interface Props {
  title: string;
  hint?: string;
  /** Draws the control; `label` is the id of the element that names it. */
  children: (label: string) => ReactNode;
}

/** One setting: what it is on the left, its control on the right; one above the other where it is narrow. */
export function Setting({ title, hint, children }: Props) {
  const id = useId();
  return (
    <section className={classes.setting}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p>{hint}</p>}
      </div>
      <div className={classes.control}>{children(id)}</div>
    </section>
  );
}
