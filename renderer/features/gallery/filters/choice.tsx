import { SegmentedControl, Text } from '@mantine/core';
import { useId } from 'react';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  data: { value: T; label: string }[];
  onChange: (value: T) => void;
}

/** A choice between a few options, all visible. */
export function Choice<T extends string>({ label, value, data, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div>
      <Text size="sm" fw={550} mb={6} id={id}>
        {label}
      </Text>
      <SegmentedControl fullWidth size="xs" aria-labelledby={id} value={value} data={data} onChange={(chosen) => onChange(chosen as T)} />
    </div>
  );
}
