import { type ReactNode, useId } from 'react';
import classes from './settings.module.css';

interface Props {
  title: string;
  hint?: string;
  /** Renders the control; `label` is the id of the element that labels it. */
  children: (label: string) => ReactNode;
}

/** One setting: title and hint on the left, control on the right, stacked on narrow screens. */
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
