import { Select, type SelectProps } from '@mantine/core';
import { CONVERSIONS, type Conversion } from '#api/constants.ts';
import { FORMATS } from '#api/formats.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props extends Pick<SelectProps, 'label' | 'description' | 'aria-labelledby'> {
  value: Conversion;
  onChange: (value: Conversion) => void;
}

/** The format that uploads are converted to. */
export function FormatSelect({ onChange, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      {...props}
      allowDeselect={false}
      onChange={(value) => onChange(CONVERSIONS.find((format) => format === value) ?? 'original')}
      data={CONVERSIONS.map((value) => ({ value, label: value === 'original' ? t('batch.keepFormat') : FORMATS[value].label }))}
    />
  );
}
