# The sandbox uses user namespaces; on a system without them, its helper needs root's rights.
unshare --user true 2> /dev/null || chmod 4755 '/opt/Pixdock/chrome-sandbox'
update-desktop-database -q /usr/share/applications 2> /dev/null || true
