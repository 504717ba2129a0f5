import { NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { type Unit, unitFor } from './units.ts';

interface Props {
  label: string;
  description?: string;
  /** In bytes or seconds, or a plain number without `units`. */
  value: number;
  onChange: (value: number) => void;
  /** The placeholder of an empty field, which means 0. */
  zero: string;
  units?: readonly Unit[];
  /** The factor of an empty field's unit. */
  usual?: number;
  error?: string | undefined;
}

/** A number input with a choice of units. */
export function AmountInput({ label, description, value, onChange, zero, units, usual = 1, error }: Props) {
  const { t } = useTranslation('admin');
  const [factor, setFactor] = useState(() => (units ? unitFor(value, units, usual) : 1));
  const unit = units && (
    <NativeSelect
      variant="unstyled"
      size="xs"
      // Otherwise inherited from the field around it, which leaves no room for the text.
      rightSectionWidth="1.75rem"
      w="100%"
      styles={{ input: { textAlign: 'end' } }}
      aria-label={t('unitOf', { field: label })}
      value={String(factor)}
      data={units.map((each) => ({ value: String(each.factor), label: t(`units.${each.label}`) }))}
      onChange={(event) => {
        const next = Number(event.currentTarget.value);
        onChange(Math.round((value / factor) * next));
        setFactor(next);
      }}
    />
  );
  return (
    <NumberInput
      label={label}
      description={description}
      error={error}
      placeholder={zero}
      value={value === 0 ? '' : value / factor}
      onChange={(text) => onChange(text === '' ? 0 : Math.round(Number(text) * factor))}
      min={0}
      decimalScale={factor === 1 ? 0 : 2}
      allowNegative={false}
      thousandSeparator=" "
      hideControls
      {...(unit && { rightSection: unit, rightSectionWidth: '6.25rem' })}
    />
  );
}
