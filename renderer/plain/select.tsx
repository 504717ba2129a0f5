import { IconChevronDown } from '@tabler/icons-react';
import classes from './select.module.css';

interface Props<T extends string> {
  label: string;
  value: T;
  data: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** A small choice from a list that the browser shows. */
export function Select<T extends string>({ label, value, data, onChange }: Props<T>) {
  return (
    <span className={classes.box}>
      <select className={classes.select} aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
        {data.map((each) => (
          <option key={each.value} value={each.value}>
            {each.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={14} aria-hidden />
    </span>
  );
}
