import type { ComponentProps, ReactNode } from 'react';
import classes from './button.module.css';

interface Look {
  variant?: 'filled' | 'default' | 'subtle';
  size?: 'compact-sm' | 'xs' | 'sm' | 'md';
  icon?: ReactNode;
  children: ReactNode;
}

interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'children'> {
  /** Shows that it is busy, and ignores presses meanwhile. */
  loading?: boolean;
}

/** A button that looks like Mantine’s, without its code. */
export function Button({ variant = 'filled', size = 'sm', icon, loading = false, disabled, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={join(classes.button, className)}
      data-variant={variant}
      data-size={size}
      data-loading={loading || undefined}
      aria-busy={loading || undefined}
      disabled={disabled || loading}
      {...rest}
    >
      <Content icon={icon}>{children}</Content>
    </button>
  );
}

/** A link that looks like a {@link Button}. */
export function ButtonLink({ variant = 'filled', size = 'sm', icon, className, children, ...rest }: Look & ComponentProps<'a'>) {
  return (
    <a className={join(classes.button, className)} data-variant={variant} data-size={size} {...rest}>
      <Content icon={icon}>{children}</Content>
    </a>
  );
}

/** A square button with an icon only; `label` names it. */
export function IconButton({ label, className, children, ...rest }: ComponentProps<'button'> & { label: string }) {
  return (
    <button type="button" className={join(classes.icon, className)} aria-label={label} title={label} {...rest}>
      {children}
    </button>
  );
}

function Content({ icon, children }: Pick<Look, 'icon' | 'children'>) {
  return (
    <>
      {icon}
      <span className={classes.label}>{children}</span>
    </>
  );
}

const join = (...names: (string | undefined)[]) => names.filter(Boolean).join(' ');
