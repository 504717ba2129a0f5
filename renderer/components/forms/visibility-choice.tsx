import { SegmentedControl } from '@mantine/core';
import type { Visibility } from '#api/images/upload.ts';
import { useWhoCanOpen } from '#renderer/service/reach.ts';

interface Props {
  /** Id of the element that labels the choice. */
  label: string;
  size?: 'xs';
  value: Visibility;
  onChange(value: Visibility): void;
}

/** All who can reach the link, or only the owner. */
export function VisibilityChoice({ label, size, value, onChange }: Props) {
  const whoCanOpen = useWhoCanOpen();
  return (
    <SegmentedControl<Visibility>
      fullWidth
      {...(size && { size })}
      aria-labelledby={label}
      value={value}
      onChange={onChange}
      data={[
        { value: 'public', label: whoCanOpen('public') },
        { value: 'private', label: whoCanOpen('private') },
      ]}
    />
  );
}
