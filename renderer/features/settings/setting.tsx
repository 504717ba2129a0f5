import { createContext, type ReactNode, use, useCallback, useId } from 'react';
import classes from './settings.module.css';

interface Props {
  title: string;
  hint?: string;
  /** Renders the control; `label` is the id of the element that labels it. */
  children: (label: string) => ReactNode;
}

/** Whether settings belong to a group, whose heading is above theirs. */
const InGroup = createContext(false);

/** One setting: title and hint on the left, control on the right, stacked on narrow screens. */
export function Setting({ title, hint, children }: Props) {
  const id = useId();
  const Heading = use(InGroup) ? 'h3' : 'h2';
  return (
    <section className={classes.setting}>
      <div>
        <Heading id={id}>{title}</Heading>
        {hint && <p>{hint}</p>}
      </div>
      <div className={classes.control}>{children(id)}</div>
    </section>
  );
}

interface GroupProps {
  /** The part of an address after the `#` that leads here. */
  anchor: string;
  title: string;
  children: ReactNode;
}

/** Settings of one subject, on a page with several. */
export function SettingGroup({ anchor, title, children }: GroupProps) {
  const id = useId();
  // The browser looks for it before the page has loaded.
  const lead = useCallback(
    (group: HTMLElement | null) => {
      if (location.hash === `#${anchor}`) group?.scrollIntoView();
    },
    [anchor],
  );
  return (
    <section ref={lead} id={anchor} tabIndex={-1} aria-labelledby={id} className={classes.group}>
      <h2 id={id}>{title}</h2>
      <InGroup value={true}>{children}</InGroup>
    </section>
  );
}
