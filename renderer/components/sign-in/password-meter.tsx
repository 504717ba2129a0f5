import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { MIN_PASSWORD_SCORE } from '#api/constants.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import classes from './password-meter.module.css';

/** Bars of the meter: one for each score above the weakest. */
const BARS = [1, 2, 3, 4] as const;
/** Loaded with the first character, since the word lists are large. Until then, and where it fails, the service alone checks. */
const estimator = () => import('./password-estimate.ts');

interface Props {
  /** Names that don't make a password stronger. Fields “username” and “email” of the same form are added. */
  about?: readonly (string | null | undefined)[];
  /** The field for a new password. */
  children: ReactNode;
}

/** Shows below a field for a new password how hard it is to guess, by the measure that the service applies (decision 074). */
export function PasswordMeter({ about = [], children }: Props) {
  const { t } = useTranslation();
  const [{ password, words }, setEntered] = useState<{ password: string; words: readonly string[] }>({ password: '', words: [] });
  const [score, setScore] = useState<number>();
  useEffect(() => {
    let latest = true;
    if (password)
      void estimator().then(
        ({ scoreOf }) => latest && setScore(scoreOf(password, words)),
        () => latest && setScore(undefined),
      );
    return () => {
      latest = false;
    };
  }, [password, words]);
  const read = ({ target }: FormEvent<HTMLDivElement>) => {
    if (target instanceof HTMLInputElement)
      setEntered({ password: target.value, words: [...about.flatMap((word) => word ?? []), ...namesIn(target.form)] });
  };
  const level = (['weak', 'weak', 'fair', 'good', 'strong'] as const)[score ?? 0] ?? 'weak';
  return (
    <div onInput={read}>
      {children}
      {password !== '' && score !== undefined && (
        <div className={classes.meter} data-weak={score < MIN_PASSWORD_SCORE || undefined}>
          <div className={classes.bars} aria-hidden>
            {BARS.map((bar) => (
              <span key={bar} data-on={bar <= Math.max(1, score) || undefined} />
            ))}
          </div>
          <p role="status">{t(`password.${level}`)}</p>
        </div>
      )}
    </div>
  );
}

function namesIn(form: HTMLFormElement | null): string[] {
  return ['username', 'email'].flatMap((name) => {
    const field = form?.elements.namedItem(name);
    return field instanceof HTMLInputElement && field.value ? [field.value] : [];
  });
}
