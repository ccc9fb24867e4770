// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// The part of a token with permits (ERC-2612) that clear signing looks at.
contract PermitToken {
    bytes32 private constant TYPE =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    function decimals() external pure virtual returns (uint8) {
        return 6;
    }

    function name() public pure virtual returns (string memory) {
        return "Permit Token";
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return keccak256(abi.encode(TYPE, keccak256("Permit Token"), keccak256("1"), block.chainid, address(this)));
    }
}

/// Its name differs from the one that its permits are signed under.
contract OtherNameToken is PermitToken {
    function name() public pure override returns (string memory) {
        return "Other Token";
    }
}

/// Its decimals differ from the token list's.
contract OtherDecimalsToken is PermitToken {
    function decimals() external pure override returns (uint8) {
        return 18;
    }
}

/// Says yes to whatever interface it is asked for.
contract YesSayer {
    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }
}

/// A token of amounts that claims to be one of collectibles.
contract FalseCollectible {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x80ac58cd;
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }
}
