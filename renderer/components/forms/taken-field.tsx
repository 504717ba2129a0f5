import { TextInput, type TextInputProps } from '@mantine/core';
import { canBeTaken, MIN_TAKEN_YEAR } from '#api/images/taken-at.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { toLocalTime } from './expiries.ts';

/** An instant as `datetime-local` has it with seconds, in the time zone of the browser. */
export function toLocalSecond(instant: string): string {
  const time = new Date(instant);
  return `${toLocalTime(time)}:${String(time.getSeconds()).padStart(2, '0')}`;
}

/** What is wrong with the local time at which a picture was taken. */
export function takenProblem(local: string): 'incomplete' | 'implausible' | undefined {
  const time = Date.parse(local);
  if (Number.isNaN(time)) return 'incomplete';
  return canBeTaken(time) ? undefined : 'implausible';
}

type Props = Pick<TextInputProps, 'label' | 'onBlur' | 'onKeyDown'> & {
  value: string;
  onChange: (value: string) => void;
  /** Whether it is being typed, when it isn't right yet. */
  isTyped?: boolean;
};

/** When a picture was taken, in the time zone of the browser. */
export function TakenField({ value, onChange, isTyped, ...field }: Props) {
  const { t } = useTranslation();
  const nextYear = new Date().getFullYear() + 1;
  const problem = isTyped ? undefined : takenProblem(value);
  const messages = {
    incomplete: t('expiry.incomplete'),
    implausible: t('details.takenYears', { from: MIN_TAKEN_YEAR, to: nextYear }),
  };
  return (
    <TextInput
      {...field}
      type="datetime-local"
      step={1}
      size="sm"
      min={`${MIN_TAKEN_YEAR}-01-01T00:00:00`}
      max={`${nextYear}-12-31T23:59:59`}
      value={value}
      error={problem && messages[problem]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
