"""The tools that ship: the registry finds every `@tool` in the modules of this package."""

from collections.abc import Mapping
from typing import Final

REWORDED: Final[Mapping[str, str]] = {
    # calculate
    "ee1580fbcfe46a4e004c83f5322687d6d50b4e7d1d5bc8dabba8434de3787e99": (
        "c495439df78d921bea1c5a8b2d241409e662baed07890d17aea336074b28a6d3"
    ),
    # convert_units
    "5cbf4b6688cebab20e7960feabf50a68be101879f5410a7f54375b2e9944dafa": (
        "d73ac53fb5bec2410f8415a5f741d0080d9a74ed7da62464b6b4cff8225440ea"
    ),
    # current_time
    "3fbc4ce196d98947f9233ca8eee21e1741e4f475a590b9f204e6962db4230b0b": (
        "948d57df4ecb1f5638aaf7d34100f5b17fd44bb75fd074846efd1380dc74f65f"
    ),
    # delete_file
    "b8608c8b9c3325402e23e04075c316016bfd2d0db782071da2b684b7d11b148f": (
        "24f1ae2ca9d4158937bc590fdcf9efaf27329ff608ed1e6d9889290d23e9e622"
    ),
    # edit_file
    "22d1cfc0c75b86231d950c456aa3b1042182ee6a8f0228327f8a8f2a9cfb9786": (
        "6b67b95925f66217a367fe118d0960f99f809b70fb5894bf3dc8ceb8181ba336"
    ),
    # fetch_page
    "657580f64728eb3f01ff2460458a2c2521a18e627f246827e9c0f553287df3de": (
        "1dd126a7f3f56eb730e983b7a62c094076e5564b4781509b3aa0b46a6178eef9"
    ),
    # list_folder
    "d377a6e5bbdd5ae2f628472c8043084d13c97a593fd5c30ef94aaccbeb071ee0": (
        "713ca5c96b2b79dcf8410916810b991dcecd53d17ef4438522a7927fae3b1a24"
    ),
    # move_file
    "16250231db6ec7a1fc2767ec149cbe2684e994b10e1430d575e1dabdffcb3f3a": (
        "74753493ee503dbd3af2f263ac479903a5f98b55bcb869c01aa7275e2835cee8"
    ),
    # open_file
    "653a096849cf1969f376149b44ecc8ff337bd114c2060d2e3cebfcf1187ec794": (
        "c464742f069cc37a33f2572f9506368e1bf8e1bcb590e4a78c4063faad7bd43e"
    ),
    # read_attachment
    "18b37c457aee06b2c64547e943f6ce9545cd3efb94c47a8d2ecca0eb24d0a7e4": (
        "aa1991de39672e2383764a7d83e142dda5e6fa5ee702475981ea4389e2128c21"
    ),
    # read_clipboard
    "5f88f2f12db1d4ae68d52380056dfc8bba80c6586e7bcc69a92c27943faf79d2": (
        "b7cffa76fa752d69d7491e875b056bf60ad9fb6c2ba520a74816138c5cd96def"
    ),
    # read_file
    "0f780fee6c8d9e2cd424f0f91bc69469fc50b80a0cae5dc315c4de23e9b9651d": (
        "ab46534ceec184c845adc9ab1878ee50077872aa99608dc120146f5f35e4e255"
    ),
    # run_command
    "b02b0bd0bd39c55e6fcd9958ebc464ec102dfadcca9f9137456719de57caf57f": (
        "0056b33053abbd746910f02d6bc0e5cf0e46d1fb9e15d90d473ed167ea644c25"
    ),
    # run_shell
    "cade7f81469ab563b335d54291c513df39e51eca11dfb6d01dc5a16dead54ece": (
        "37d810943c20eafcc073319dd2ae5cab448be4d980509f3ee6312b9e1f5a84e6"
    ),
    # search_files
    "37803bd7d749f5ed9b81ff5eeea7fa4ab2aee4c3493e1d669b8d3242cd28e046": (
        "d239e7ff442b71ff7c16e50521fcf0427c6e7e0c9801290db68cdbc74a5148d5"
    ),
    # system_information
    "002a4598e7dbf7394717d286f2fc60fb20541a5d19abef0ddad0978f5b2b5096": (
        "0abec92843cf685c8aa7f2a20c3ee0d6400a53769959f235da38f9fa7f7c2178"
    ),
    # take_note
    "ad2822ec02fa1725ecb1811d216450ebc943dd7385a03d2245c570300047f071": (
        "c2f6dd8cdbac728ae0973ce6399732e0a833af0a7c5c4d5682dbd81d039c4247"
    ),
    # write_clipboard
    "53288cdafefdaa1784eb579856c44e45ff41a968b8207cdabf6336cbf1710785": (
        "5855fb78f00d94371ec2297e58e2aa6e70f987f8c6594efbd1a2b27f6c794594"
    ),
    # write_file
    "04ca857e73e9f4219d08f13c79c7193b2ac73beb1f48f0d7922aeb1397fab310": (
        "21d8290b203ed6409cf25e7a0752e185122a998348f945724e272387fdfd2d5a"
    ),
}
"""Tools whose words alone have changed: the digest as declared → the one that they are known by.

Rules, the record and turns in progress name a tool by its digest. A tool of this package whose
declaration has exactly the first digest has the second one instead, so that better words end no
rule. Whatever else of it changes, its types, limits or hints, makes another digest, which is not
in here, and ends the rules.
"""
