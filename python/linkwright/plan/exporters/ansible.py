"""An inventory and a playbook of Ansible that carry the files of another target to the machines,
check them, and load them.

The playbook works on the folder of the plan: it copies `nodes/NODE/TARGET/etc` to `/etc`. It never
touches the NIC by which it reaches the machine, since no file of a target names it.
"""

from __future__ import annotations

from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.yaml_text import quoted

__all__ = ["ANSIBLE"]

USE = (
    "Write the plan for a manager too, such as `--for networkd,hosts,ansible`. See the changes, in "
    "the folder of the plan, and then make them without the last two words: ansible-playbook "
    "-i nodes/all/ansible/inventory.yaml nodes/all/ansible/playbook.yaml -e manager=networkd "
    "--check --diff"
)
MANAGED = (
    "The machines by their management addresses; a machine without one is reached by its name."
)
PLAYBOOK = """\
- name: Give every machine its part in the network
  hosts: linkwright
  become: true
  gather_facts: false
  # One machine after the other: a mistake stops at the first.
  serial: 1
  any_errors_fatal: true
  vars:
    files: "{{ playbook_dir }}/../../{{ inventory_hostname }}/{{ manager }}/etc/"
    load:
      networkd: networkctl reload
      netplan: netplan apply
      ifupdown2: ifreload -a
      networkmanager: nmcli connection reload
      frr: systemctl restart frr
  tasks:
    - name: Expect a manager that this playbook knows
      ansible.builtin.assert:
        that: manager is defined and manager in load
        fail_msg: "give -e manager= with one of {{ load | join(', ') }}"

    - name: Copy the files of the manager
      # Netplan and NetworkManager refuse files that others may read; networkd is no root and reads
      # only those that others may read.
      ansible.builtin.copy:
        src: "{{ files }}{{ item }}/"
        dest: "/etc/{{ item }}/"
        owner: root
        group: root
        mode: "{{ '0600' if item in ['netplan', 'NetworkManager'] else '0644' }}"
        directory_mode: "0755"
      loop: [systemd, sysctl.d, netplan, NetworkManager, network, frr]
      when: (files + item) is directory
      register: copied

    - name: Let netplan check its files
      ansible.builtin.command: netplan generate
      when: manager == 'netplan' and not ansible_check_mode
      changed_when: false

    - name: Set the parameters of the kernel
      ansible.builtin.command: /lib/systemd/systemd-sysctl
      when: copied is changed
      changed_when: true

    - name: Mark packets of IPv6, now and at each boot
      ansible.builtin.systemd_service:
        name: linkwright-marks
        daemon_reload: true
        enabled: true
        state: started
      when: (files + 'systemd/system/linkwright-marks.service') is file and not ansible_check_mode

    - name: Load the files
      ansible.builtin.command: "{{ load[manager] }}"
      when: copied is changed
      changed_when: true

    - name: Give every machine the names of all
      ansible.builtin.blockinfile:
        path: /etc/hosts
        marker: "# {mark} linkwright"
        block: "{{ lookup('file', playbook_dir + '/../hosts/hosts', errors='ignore') or '' }}"
"""


def _files(network: NetworkPlan) -> Files:
    lines = [*header(network, None, USE, MANAGED), "linkwright:", "  hosts:"]
    for host in (one for one in network.hosts if not one.is_switch):
        lines.append(f"    {quoted(host.node)}:")
        lines.append(f"      ansible_host: {quoted(host.management or host.name)}")
    return {
        "inventory.yaml": text_of(lines),
        "playbook.yaml": text_of(header(network, None, USE)) + PLAYBOOK,
    }


ANSIBLE = Exporter(reader="Ansible: carries the files of another target", of_all=_files)
