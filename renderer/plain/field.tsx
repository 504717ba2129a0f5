import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import classes from './field.module.css';

interface Props extends Omit<ComponentProps<'input'>, 'size' | 'ref'> {
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  description?: string | undefined;
  error?: ReactNode;
  size?: 'sm' | 'md';
}

/** A line of text with its label, hint and error. */
export function TextField(props: Props) {
  return <Field {...props} />;
}

/** @param show names the button that shows the password */
export function PasswordField({ show, ...props }: Props & { show: string }) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <Field {...props} type={shown ? 'text' : 'password'}>
      <button type="button" className={classes.eye} aria-label={show} aria-pressed={shown} onClick={() => setShown(!shown)}>
        <Icon size={22} stroke={1.7} aria-hidden />
      </button>
    </Field>
  );
}

function Field({ ref, label, description, error, size = 'sm', autoFocus, children, ...input }: Props) {
  const id = useId();
  const own = useRef<HTMLInputElement>(null);
  const field = ref ?? own;
  // The attribute works only in the page that the service sent, not in what a script adds to it.
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus, field]);
  const described = [description && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={classes.field} data-size={size}>
      <label htmlFor={id}>{label}</label>
      {description && (
        <p id={`${id}-hint`} className={classes.hint}>
          {description}
        </p>
      )}
      <div className={classes.box}>
        <input
          {...input}
          ref={field}
          id={id}
          className={classes.input}
          aria-invalid={!!error || undefined}
          aria-describedby={described || undefined}
        />
        {children}
      </div>
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
