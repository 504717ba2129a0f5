import { SegmentedControl } from '@mantine/core';
import type { Visibility } from '#api/images/upload.ts';
import { useTranslation } from '#renderer/i18n/t.ts';

interface Props {
  /** Id of the element that labels the choice. */
  label: string;
  size?: 'xs';
  value: Visibility;
  onChange(value: Visibility): void;
}

/** Anyone with the link, or only the owner. */
export function VisibilityChoice({ label, size, value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <SegmentedControl<Visibility>
      fullWidth
      {...(size && { size })}
      aria-labelledby={label}
      value={value}
      onChange={onChange}
      data={[
        { value: 'public', label: t('details.public') },
        { value: 'private', label: t('details.private') },
      ]}
    />
  );
}
