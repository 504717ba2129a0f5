import { Select, type SelectProps, TextInput } from '@mantine/core';
import { MAX_EXPIRES_IN } from '#api/constants.ts';
import { DAY } from '#api/durations.ts';
import { useFormat } from '#renderer/i18n/format.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { exactly, expiryProblem, localTimeIn, toLocalTime } from './expiries.ts';

interface Props extends Pick<SelectProps, 'label' | 'description' | 'size'> {
  /** An expiry's text ({@link exactly}), or another value of `choices`. */
  value: string;
  onChange: (value: string) => void;
  choices: { value: string; label: string }[];
  /** The longest expiry from now, in seconds. */
  max?: number | undefined;
  /** Props of both fields, such as those that keep Escape to themselves. */
  fields?: object;
}

const EXACT = 'exact';

/** Chooses an expiry: one of several periods, or a date and time. */
export function ExpiryField({ value, onChange, choices, label, description, size, max = MAX_EXPIRES_IN, fields }: Props) {
  const { t } = useTranslation();
  const isExact = localTimeIn(value) !== undefined;
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    onChange(chosen === EXACT ? suggestedExpiry(max) : chosen);
  };
  return (
    <div>
      <Select
        {...fields}
        label={label}
        description={isExact ? undefined : description}
        size={size ?? 'sm'}
        allowDeselect={false}
        value={isExact ? EXACT : value}
        data={[...choices, { value: EXACT, label: t('expiry.exact') }]}
        onChange={choose}
      />
      {isExact && <ExactExpiry value={value} onChange={onChange} max={max} description={description} size={size} fields={fields} mt="xs" />}
    </div>
  );
}

/** The text of tomorrow at this time, or sooner where that is too late. */
export const suggestedExpiry = (max: number) => exactly(toLocalTime(new Date(Date.now() + Math.min(DAY, max) * 1000)));

type ExactProps = Pick<Props, 'value' | 'onChange' | 'max' | 'description' | 'size' | 'fields'> & { mt?: 'xs' };

/** The date and time of an expiry, in the time zone of the browser. */
export function ExactExpiry({ value, onChange, max = MAX_EXPIRES_IN, description, size, fields, mt }: ExactProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const latest = new Date(Date.now() + max * 1000);
  const problem = expiryProblem(value, max);
  return (
    <TextInput
      {...fields}
      {...(mt && { mt })}
      type="datetime-local"
      label={t('expiry.moment', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      description={description}
      size={size ?? 'sm'}
      min={toLocalTime(new Date())}
      max={toLocalTime(latest)}
      value={localTimeIn(value) ?? ''}
      error={problem && t(`expiry.${problem}`, { date: format.moment(latest) })}
      onChange={(event) => onChange(exactly(event.currentTarget.value))}
    />
  );
}
