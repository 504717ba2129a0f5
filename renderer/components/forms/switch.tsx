// biome-ignore lint/style/noRestrictedImports: this is the one that the others import
import { Switch as MantineSwitch, type SwitchProps } from '@mantine/core';
import { useId } from 'react';

/** Mantine's switch, named by its label alone. Its own name would include the description, which already describes it. */
export function Switch(props: SwitchProps) {
  const label = useId();
  return (
    <MantineSwitch {...(props.label !== undefined && { 'aria-labelledby': label, attributes: { label: { id: label } } })} {...props} />
  );
}
